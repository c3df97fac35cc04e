// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What every generated trace looks like, whatever its family: exactly as long as asked for,
// well-formed, with closed blocks, dense names, and the same on every reading.
#include <algorithm>
#include <set>

#include "event/well_formed.h"
#include "tests/workload/generated.h"

namespace omnium::test {
namespace {

const std::vector<WorkloadOptions> kSizes = {
    {.events = 0, .threads = 4, .variables = 40, .locks = 3},
    {.events = 1, .threads = 4, .variables = 40, .locks = 3},
    {.events = 2, .threads = 4, .variables = 40, .locks = 3},
    {.events = 7, .threads = 64, .variables = 200, .locks = 1},
    {.events = 64, .threads = 64, .variables = 200, .locks = 100},
    {.events = 1'000, .threads = 3, .variables = 5, .locks = 1},
    {.events = 1'000, .threads = 3, .variables = 5, .locks = 100},
    {.events = 20'000, .threads = 8, .variables = 1'000, .locks = 16},
    {.events = 20'001, .threads = 65, .variables = 300, .locks = 7},
    {.events = 100'003, .threads = 1'000, .variables = 100'000, .locks = 16},
};

template <class Body>
void for_every_trace(std::uint64_t seeds, Body&& body) {
  for (const WorkloadFamily& family : workload_families()) {
    for (WorkloadOptions options : kSizes) {
      for (options.seed = 0; options.seed < seeds; ++options.seed) {
        for (const bool violate : {false, true}) {
          options.violate = violate;
          if (violate && options.events < 200) continue;
          SCOPED_TRACE(command(family.name, options));
          const auto source = make_or_fail(family.name, options);
          ASSERT_NE(source, nullptr);
          body(options, *source);
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(GeneratedShape, ExactlyAsManyEventsAsAskedForAndWellFormed) {
  for_every_trace(4, [](const WorkloadOptions& options, EventSource& source) {
    std::vector<Event> events = read_all(source);
    ASSERT_EQ(events.size(), options.events);
    WellFormed checker;
    const auto wrong = checker.check(events, source.names());
    ASSERT_FALSE(wrong) << "event " << wrong->offset << ": " << wrong->what;
    EXPECT_EQ(checker.counts().events, options.events);
  });
}

TEST(GeneratedShape, EveryBlockIsClosedAndEveryLockReleased) {
  for_every_trace(3, [](const WorkloadOptions& options, EventSource& source) {
    if (options.events == 1) return;  // too short for a block
    std::vector<std::vector<std::uint32_t>> open(options.threads);
    std::vector<int> held(options.locks + 1);
    for (const Event& event : read_all(source)) {
      auto& blocks = open[event.thread_id];
      if (event.kind == Kind::kBegin) blocks.push_back(event.object);
      if (event.kind == Kind::kEnd) {
        ASSERT_FALSE(blocks.empty());
        ASSERT_EQ(blocks.back(), event.object) << "an end carries the label of its begin";
        blocks.pop_back();
      }
      if (takes_lock(event.kind)) ++held[event.object];
      if (gives_lock_back(event.kind)) --held[event.object];
    }
    for (const auto& blocks : open) EXPECT_TRUE(blocks.empty());
    for (const int depth : held) EXPECT_EQ(depth, 0);
  });
}

TEST(GeneratedShape, NamesAreDenseAndCoverEveryId) {
  for_every_trace(1, [](const WorkloadOptions& options, EventSource& source) {
    source.want_locations(true);
    const std::vector<Event> events = read_all(source);
    const Names& names = source.names();
    EXPECT_EQ(names.threads.size(), options.threads);
    EXPECT_EQ(names.variables.size(), options.variables + (options.violate ? 1 : 0));
    EXPECT_EQ(names.locks.size(), options.locks);
    EXPECT_LE(names.locations.size(), 152u);
    EXPECT_EQ(names.threads.name(options.threads - 1), "T" + std::to_string(options.threads - 1));
    EXPECT_EQ(names.variables.name(options.variables - 1),
              "x" + std::to_string(options.variables - 1));
    for (const Event& event : events) {
      ASSERT_LT(event.thread_id, names.threads.size());
      ASSERT_LT(event.loc_id, names.locations.size());
      const bool block = event.kind == Kind::kBegin || event.kind == Kind::kEnd;
      const bool thread = event.kind == Kind::kFork || event.kind == Kind::kJoin;
      const bool signal = event.kind == Kind::kSignal || event.kind == Kind::kAwait;
      const support::Interner& space = is_access(event.kind) ? names.variables
                                       : block               ? names.labels
                                       : thread              ? names.threads
                                       : signal              ? names.signals
                                                             : names.locks;
      ASSERT_LT(event.object, space.size());
    }
  });
}

TEST(GeneratedShape, SameForEverySizeOfBatch) {
  for_every_trace(2, [](const WorkloadOptions& options, EventSource& source) {
    const std::vector<Event> events = read_all(source, 4096);
    if (options.events > 30'000) return;
    const auto again = source.seek(0);
    ASSERT_TRUE(again.has_value());
    EXPECT_TRUE(read_all(source, 1) == events);
  });
}

TEST(GeneratedShape, SeekGoesBackToTheStart) {
  for (const WorkloadFamily& family : workload_families()) {
    WorkloadOptions options{.events = 5'000, .violate = true};
    const auto source = make_or_fail(family.name, options);
    const std::vector<Event> events = read_all(*source);
    const auto at = source->seek(4'321);
    ASSERT_TRUE(at.has_value());
    EXPECT_LE(*at, 4'321u);
    const std::vector<Event> again = read_all(*source, 100);
    ASSERT_TRUE(std::equal(again.begin(), again.end(),
                           events.begin() + static_cast<std::ptrdiff_t>(*at), events.end()))
        << family.name;
  }
}

TEST(GeneratedShape, SeedsDiffer) {
  for (const WorkloadFamily& family : workload_families()) {
    const auto one = make_or_fail(family.name, {.events = 2'000, .seed = 1});
    const auto two = make_or_fail(family.name, {.events = 2'000, .seed = 2});
    EXPECT_FALSE(read_all(*one) == read_all(*two)) << family.name;
  }
}

// The violation changes nothing before it.
TEST(GeneratedShape, PlantingKeepsTheRest) {
  for (const WorkloadFamily& family : workload_families()) {
    const auto plain = make_or_fail(family.name, {.events = 20'000});
    const auto violating = make_or_fail(family.name, {.events = 20'000, .violate = true});
    std::vector<Event> before = read_all(*plain), after = read_all(*violating);
    before.resize(19'800);
    after.resize(19'800);
    EXPECT_TRUE(before == after) << family.name;
  }
}

TEST(GeneratedShape, LocationsOnlyWhenWanted) {
  const auto source = make_or_fail("locks", {.events = 2'000});
  for (const Event& event : read_all(*source)) ASSERT_TRUE(event.loc().is_none());
  EXPECT_EQ(source->names().locations.size(), 0u);
  source->want_locations(true);
  ASSERT_TRUE(source->seek(0).has_value());
  std::set<std::uint32_t> seen;
  for (const Event& event : read_all(*source)) seen.insert(event.loc_id);
  EXPECT_GT(seen.size(), 8u);
  EXPECT_EQ(source->names().locations.name(0), "locks.cc:10");
}

TEST(GeneratedShape, PositionCountsEvents) {
  const auto source = make_or_fail("private", {.events = 2'000});
  std::vector<Event> buffer(100);
  ASSERT_TRUE(source->read(buffer).has_value());
  ASSERT_TRUE(source->read(buffer).has_value());
  EXPECT_EQ(source->position_of(5).file, "event 105");
}

// Traces are kept in golden files and in reports: a seed must mean the same for ever.
TEST(GeneratedShape, TheSameOnEveryMachine) {
  const auto hash = [](const std::vector<Event>& events) {
    std::uint64_t h = 0xcbf29ce484222325ull;
    for (const Event& event : events) {
      const auto kind = static_cast<std::uint64_t>(event.kind);
      for (const std::uint64_t word :
           {kind, std::uint64_t{event.thread_id}, std::uint64_t{event.object}}) {
        h = (h ^ word) * 0x100000001b3ull;
      }
    }
    return h;
  };
  std::uint64_t all = 0;
  for (const WorkloadFamily& family : workload_families()) {
    const auto source = make_or_fail(family.name, {.events = 10'000, .violate = true});
    all = all * 31 + hash(read_all(*source));
    if (family.name == "random") {
      EXPECT_EQ(all, 13344405726562429732ull) << "of the families up to this one";
    }
  }
  EXPECT_EQ(all, 4257804639270621103ull);
}

}  // namespace
}  // namespace omnium::test
