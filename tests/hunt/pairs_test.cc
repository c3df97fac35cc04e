// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "hunt/pairs.h"

#include <gtest/gtest.h>

namespace omnium::hunt {
namespace {

class Recorded {
 public:
  Recorded& add(std::uint16_t thread, Kind kind, std::uint32_t object, const char* place) {
    trace.events.push_back({kind, thread, object, names.locations.intern(place)});
    return *this;
  }
  predict::LoadedTrace trace;
  Names names;
};

constexpr std::size_t kMany = 100;

TEST(Pairs, AreTurnedRound) {
  Recorded recorded;
  recorded.add(0, Kind::kAcquire, 0, "a:1 in f")
      .add(0, Kind::kAcquire, 1, "a:2 in f")
      .add(0, Kind::kWrite, 0, "a:3 in f")
      .add(0, Kind::kRelease, 1, "a:4 in f")
      .add(0, Kind::kRelease, 0, "a:5 in f")
      .add(1, Kind::kRead, 0, "b:1 in g");
  const auto targets = reversed_pairs(recorded.trace, recorded.names, kMany);
  ASSERT_EQ(targets.size(), 3u);
  EXPECT_TRUE(targets[1].steps[0].hold) << "the thread that came first waits for all others";
  EXPECT_EQ(targets[2].steps[0].access, "a:3") << "as it was, with such a wait";
  const auto& steps = targets[0].steps;
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].access, "b:1");
  EXPECT_EQ(steps[0].role, 0u);
  EXPECT_EQ(steps[0].kind, Step::Kind::kRead);
  EXPECT_EQ(steps[0].gate, "");
  EXPECT_EQ(steps[1].access, "a:3");
  EXPECT_EQ(steps[1].role, 1u);
  EXPECT_EQ(steps[1].gate, "a:1") << "where the first of its locks is taken";
  EXPECT_EQ(steps[1].same, 0u);
  EXPECT_TRUE(steps[1].late);
}

TEST(Pairs, NeedTwoThreadsAWriteAndOneVariable) {
  Recorded recorded;
  recorded.add(0, Kind::kRead, 0, "a:1")
      .add(0, Kind::kWrite, 0, "a:2")
      .add(1, Kind::kWrite, 1, "b:1")
      .add(0, Kind::kRead, 2, "a:3")
      .add(1, Kind::kRead, 2, "b:2");
  EXPECT_TRUE(reversed_pairs(recorded.trace, recorded.names, kMany).empty());
}

TEST(Pairs, AreNotTurnedRoundIfOneThreadWasCreatedAfterwards) {
  Recorded recorded;
  recorded.add(0, Kind::kWrite, 0, "a:1")
      .add(0, Kind::kFork, 1, "a:2")
      .add(1, Kind::kRead, 0, "b:1");
  EXPECT_TRUE(reversed_pairs(recorded.trace, recorded.names, kMany).empty());
}

TEST(Pairs, ComeOnceAndNotTooMany) {
  Recorded recorded;
  for (int i = 0; i < 3; ++i) {
    recorded.add(0, Kind::kUpdate, 0, "a:1").add(1, Kind::kAtomicRead, 0, "b:1");
  }
  // b:1 before a:1, and the other way round, with and without a long wait.
  EXPECT_EQ(reversed_pairs(recorded.trace, recorded.names, kMany).size(), 6u);
  EXPECT_EQ(reversed_pairs(recorded.trace, recorded.names, 1).size(), 1u);
}

}  // namespace
}  // namespace omnium::hunt
