// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "hunt/target.h"
#include "hunt/shared_places.h"

#include <gtest/gtest.h>

namespace omnium::hunt {
namespace {

report::EventView event(EventIndex index, Kind kind, std::string_view object,
                        std::string_view location) {
  report::EventView out;
  out.index = index;
  out.kind = kind;
  out.object = object;
  out.location = location;
  return out;
}

struct Row {
  std::size_t column;
  Kind kind;
  std::string_view object, location;
};

// The events of the rows are numbered in their order. Each dependency is a pair of rows.
report::Cause cause_of(const std::vector<Row>& rows,
                       const std::vector<std::pair<std::size_t, std::size_t>>& dependencies) {
  report::Cause cause;
  cause.id = "av-1";
  for (const Row& row : rows) {
    report::Row& added = cause.picture.rows.emplace_back();
    added.column = row.column;
    added.event = event(cause.picture.rows.size(), row.kind, row.object, row.location);
  }
  for (const auto& [first, second] : dependencies) {
    report::Sentence& sentence = cause.picture.sentences.emplace_back();
    sentence.first = cause.picture.rows[first].event;
    sentence.second = cause.picture.rows[second].event;
  }
  return cause;
}

const std::vector<Row> kLostUpdate = {
    {0, Kind::kAcquire, "m", "a:1"}, {0, Kind::kRead, "x", "a:2"},  {0, Kind::kRelease, "m", "a:3"},
    {1, Kind::kAcquire, "m", "b:1"}, {1, Kind::kWrite, "x", "b:2"}, {1, Kind::kRelease, "m", "b:3"},
    {0, Kind::kAcquire, "m", "a:4"}, {0, Kind::kWrite, "x", "a:5"}};

TEST(Target, StopsWhereTheLockOfAnAccessIsTaken) {
  const auto target = target_of(cause_of(kLostUpdate, {{1, 4}, {4, 7}}));
  ASSERT_TRUE(target);
  EXPECT_EQ(target->cause, "av-1");
  ASSERT_EQ(target->steps.size(), 3u);
  EXPECT_EQ(target->steps[0].access, "a:2");
  EXPECT_EQ(target->steps[0].gate, "a:1");
  EXPECT_EQ(target->steps[0].kind, Step::Kind::kRead);
  EXPECT_FALSE(target->steps[0].same);
  EXPECT_EQ(target->steps[1].role, 1u);
  EXPECT_EQ(target->steps[1].gate, "b:1");
  EXPECT_EQ(target->steps[1].same, 0u);
  EXPECT_EQ(target->steps[2].role, 0u);
  EXPECT_EQ(target->steps[2].gate, "a:4");
  EXPECT_EQ(target->steps[2].same, 1u);
}

// A lock that is held since the step before is no place to stop: the partner does not need it.
TEST(Target, StopsAtTheAccessIfItsLockIsHeldSinceTheStepBefore) {
  const auto target = target_of(cause_of({{0, Kind::kAcquire, "m", "a:1"},
                                          {0, Kind::kRead, "x", "a:2"},
                                          {1, Kind::kAtomicWrite, "x", "b:1"},
                                          {0, Kind::kUpdate, "x", "a:3"}},
                                         {{1, 2}, {2, 3}}));
  ASSERT_TRUE(target);
  EXPECT_EQ(target->steps[2].gate, "");
  EXPECT_EQ(target->steps[2].kind, Step::Kind::kWrite);
}

TEST(Target, NeedsAccessesWithPlaces) {
  EXPECT_FALSE(target_of(report::Cause{}));
  EXPECT_FALSE(target_of(cause_of(
      {{0, Kind::kRead, "x", "a:1"}, {1, Kind::kWrite, "x", ""}, {0, Kind::kWrite, "x", "a:2"}},
      {{0, 1}, {1, 2}})));
  EXPECT_FALSE(target_of(
      cause_of({{0, Kind::kRelease, "m", "a:1"}, {1, Kind::kAcquire, "m", "b:1"}}, {{0, 1}})));
}

// A recording that knows one place per location.
class Recording final : public EventSource {
 public:
  Recording() {
    for (const char* location : {"a:1 in f", "a:2 in f", "a:2 in g via a library", "b:2"}) {
      names_.locations.intern(location);
    }
  }
  Result<std::size_t> read(std::span<Event>) override { return 0; }
  const Names& names() const override { return names_; }
  Position position_of(std::size_t) const override { return {}; }
  Result<EventIndex> seek(EventIndex) override { return 0; }
  void want_locations(bool) override {}
  std::vector<Code> codes_at(LocId location) const override {
    if (location.v == 3) return {{"/lib/b.so", 0x30}};
    return {{"/bin/a", 0x1000 + location.v}};
  }

 private:
  Names names_;
};

TEST(SharedPlaces, AreWhereSeveralThreadsMeetAndOneWrites) {
  const Recording recording;
  Places places;
  places.add(recording);
  const auto shared_by = [&](std::vector<Event> events) {
    predict::LoadedTrace trace;
    trace.events = std::move(events);
    return shared_places(trace, recording.names(), places);
  };
  EXPECT_TRUE(shared_by({{Kind::kRead, 1, 0, 0}, {Kind::kRead, 2, 0, 3}}).empty());
  EXPECT_TRUE(shared_by({{Kind::kRead, 1, 0, 0}, {Kind::kWrite, 1, 0, 3}}).empty());
  EXPECT_TRUE(shared_by({{Kind::kRead, 1, 0, 0}, {Kind::kWrite, 2, 1, 3}}).empty());
  EXPECT_EQ(shared_by({{Kind::kRead, 1, 0, 0}, {Kind::kWrite, 2, 0, 3}}),
            (std::set<Code>{{"/bin/a", 0x1000}, {"/lib/b.so", 0x30}}));
}

TEST(UnprotectedPlaces, AreThoseWithoutALockThatIsAlwaysHeld) {
  const Recording recording;
  Places places;
  places.add(recording);
  const auto unprotected_by = [&](std::vector<Event> events) {
    predict::LoadedTrace trace;
    trace.events = {{Kind::kFork, 1, 2, 0}};
    trace.events.insert(trace.events.end(), events.begin(), events.end());
    return text_of_places(unprotected_places(trace, recording.names(), places));
  };
  const Event take{Kind::kAcquire, 1, 0, 0}, give{Kind::kRelease, 1, 0, 0};
  const Event take_too{Kind::kAcquire, 2, 0, 0}, give_too{Kind::kRelease, 2, 0, 0};
  const Event read{Kind::kRead, 1, 0, 0}, write{Kind::kWrite, 2, 0, 1};
  // All instructions of a line: the second one is the write's, and so is the third.
  constexpr char kBoth[] = "module /bin/a\npoint 0:1000\npoint 0:1001\npoint 0:1002\n";
  EXPECT_EQ(unprotected_by({read, write}), kBoth);
  EXPECT_EQ(unprotected_by({take, read, give, write}), kBoth);
  EXPECT_EQ(unprotected_by({take, read, give, take_too, write, give_too}), "");
  EXPECT_EQ(unprotected_by({read, read}), "") << "one thread alone";
  // What the creator does before the others begin, and after they have ended, disturbs nobody.
  const Event last{Kind::kRead, 1, 0, 0};
  EXPECT_EQ(unprotected_by({take_too, write, give_too, {Kind::kJoin, 1, 2, 0}, last}), "");
}

TEST(Target, TextHasTheInstructionsOfEachPlace) {
  Places places;
  places.add(Recording());
  Target target{"av-1", {}};
  target.steps.push_back({0, Step::Kind::kRead, "a:2", "a:1", std::nullopt, false});
  target.steps.push_back({1, Step::Kind::kEither, "b:2", "", 0, true});
  EXPECT_EQ(to_text(target, places),
            "module /bin/a\nmodule /lib/b.so\n"
            "step 0 read 0:1001,0:1002 gate 0:1000\n# thread 1 reads at a:2\n"
            "step 1 either 1:30 same 0 late\n# thread 2 uses memory at b:2\n");
  target.steps[1].access = "c:1";
  EXPECT_FALSE(to_text(target, places));
}

}  // namespace
}  // namespace omnium::hunt
