// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Orders that nobody predicts: interleaved accesses, deadlocks, lost signals.
#include <algorithm>

#include <gtest/gtest.h>

#include "hunt/deadlocks.h"
#include "hunt/thread_order.h"
#include "hunt/triples.h"

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

// "0r a:1, 1w b:1, 0w a:2": role, kind and place of each step.
std::string in_short(const Target& target) {
  std::string out;
  for (const Step& step : target.steps) {
    const char* kind = step.kind == Step::Kind::kRead      ? "r"
                       : step.kind == Step::Kind::kWrite   ? "w"
                       : step.kind == Step::Kind::kAcquire ? "a"
                                                           : "e";
    out += (out.empty() ? "" : ", ") + std::to_string(step.role) + kind + " " + step.access;
  }
  return out;
}

std::vector<std::string> triples_of(const Recorded& recorded) {
  std::vector<std::string> out;
  for (const Target& target : interleaved_triples(recorded.trace, recorded.names, kMany)) {
    out.push_back(in_short(target));
  }
  return out;
}

TEST(Triples, AWriteComesBetweenAReadAndAWrite) {
  Recorded recorded;
  recorded.add(1, Kind::kRead, 0, "a:1")
      .add(1, Kind::kWrite, 0, "a:2")
      .add(2, Kind::kWrite, 0, "b:1");
  EXPECT_EQ(triples_of(recorded),
            (std::vector<std::string>{"0r a:1, 1r a:1, 0w a:2, 1w a:2", "0r a:1, 1w b:1, 0w a:2"}));
}

TEST(Triples, WhatIsSerializableIsLeftOut) {
  Recorded recorded;
  recorded.add(1, Kind::kRead, 0, "a:1")
      .add(1, Kind::kRead, 0, "a:2")
      .add(2, Kind::kRead, 0, "b:1");
  EXPECT_TRUE(triples_of(recorded).empty());
  recorded.add(2, Kind::kWrite, 0, "b:2");
  const auto found = triples_of(recorded);
  EXPECT_NE(std::ranges::find(found, "0r a:1, 1w b:2, 0r a:2"), found.end());
}

TEST(Triples, ALockThatIsKeptKeepsOthersOut) {
  Recorded recorded;
  recorded.add(1, Kind::kAcquire, 0, "a:1")
      .add(1, Kind::kRead, 0, "a:2")
      .add(1, Kind::kWrite, 0, "a:3")
      .add(1, Kind::kRelease, 0, "a:4")
      .add(2, Kind::kAcquire, 0, "b:1")
      .add(2, Kind::kWrite, 0, "b:2")
      .add(2, Kind::kRelease, 0, "b:3");
  EXPECT_TRUE(triples_of(recorded).empty());
}

TEST(Triples, AThreadIsStoppedWhereItTakesTheLockAgain) {
  Recorded recorded;
  recorded.add(1, Kind::kAcquire, 0, "a:1")
      .add(1, Kind::kRead, 0, "a:2")
      .add(1, Kind::kRelease, 0, "a:3")
      .add(1, Kind::kAcquire, 0, "a:4")
      .add(1, Kind::kWrite, 0, "a:5")
      .add(1, Kind::kRelease, 0, "a:6")
      .add(2, Kind::kAcquire, 0, "b:1")
      .add(2, Kind::kWrite, 0, "b:2")
      .add(2, Kind::kRelease, 0, "b:3");
  const auto targets = interleaved_triples(recorded.trace, recorded.names, kMany);
  ASSERT_EQ(targets.size(), 2u);
  const auto& steps = targets[1].steps;
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[0].gate, "a:1");
  EXPECT_EQ(steps[1].gate, "b:1");
  EXPECT_EQ(steps[2].gate, "a:4");
  EXPECT_EQ(steps[2].same, 0u);
}

TEST(Triples, CloseOnesComeFirst) {
  Recorded recorded;
  recorded.add(1, Kind::kRead, 0, "far:1")
      .add(1, Kind::kRead, 1, "near:1")
      .add(1, Kind::kWrite, 1, "near:2");
  recorded.add(1, Kind::kWrite, 0, "far:2")
      .add(2, Kind::kWrite, 0, "b:1")
      .add(2, Kind::kWrite, 1, "b:2");
  const auto found = triples_of(recorded);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_TRUE(found[0].starts_with("0r near")) << found[0];
  EXPECT_TRUE(found[3].starts_with("0r far")) << found[3];
}

TEST(ThreadOrder, KnowsCreationAndJoins) {
  Recorded recorded;
  recorded
      .add(0, Kind::kWrite, 0, "m:1")  // 0
      .add(0, Kind::kFork, 1, "m:2")   // 1
      .add(1, Kind::kRead, 0, "t:1")   // 2
      .add(0, Kind::kWrite, 0, "m:3")  // 3
      .add(0, Kind::kJoin, 1, "m:4")   // 4
      .add(0, Kind::kFork, 2, "m:5")   // 5
      .add(2, Kind::kRead, 0, "u:1");  // 6
  const ThreadOrder order(recorded.trace.events);
  using Moment = ThreadOrder::Moment;
  const Moment early{ThreadId{0}, 0}, during{ThreadId{0}, 3}, first{ThreadId{1}, 2},
      second{ThreadId{2}, 6};
  EXPECT_TRUE(order.is_fixed(early, first));
  EXPECT_TRUE(order.is_fixed(second, early));
  EXPECT_FALSE(order.is_fixed(during, first));
  EXPECT_TRUE(order.is_fixed(first, second)) << "one is joined before the other is created";
}

TEST(Deadlocks, EachThreadGetsItsFirstLock) {
  Recorded recorded;
  recorded.add(1, Kind::kAcquire, 0, "a:1")
      .add(1, Kind::kAcquire, 1, "a:2")
      .add(2, Kind::kAcquire, 1, "b:1")
      .add(2, Kind::kAcquire, 0, "b:2");
  predict::DeadlockPotential potential;
  potential.cycles = {
      {{LockId{0}, LockId{1}, ThreadId{1}, 0, 1}, {LockId{1}, LockId{0}, ThreadId{2}, 2, 3}}};
  const auto targets = deadlock_targets(potential, recorded.trace, recorded.names, kMany);
  ASSERT_EQ(targets.size(), 1u);
  EXPECT_EQ(in_short(targets[0]), "0a a:1, 1a b:1, 0a a:2, 1a b:2");
  EXPECT_EQ(targets[0].steps[2].same, 1u);
  EXPECT_EQ(targets[0].steps[3].same, 0u);
}

TEST(LostSignals, TheSignalComesBeforeTheLockIsTaken) {
  Recorded recorded;
  recorded.add(1, Kind::kAcquire, 0, "a:1")
      .add(1, Kind::kWait, 0, "a:2")
      .add(2, Kind::kSignal, 0, "b:1");
  const auto targets = lost_signals(recorded.trace, recorded.names, kMany);
  ASSERT_EQ(targets.size(), 1u);
  EXPECT_EQ(in_short(targets[0]), "0a b:1, 1a a:2");
  EXPECT_EQ(targets[0].steps[1].gate, "a:1");
}

}  // namespace
}  // namespace omnium::hunt
