// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The schedules of Farzan & Madhusudan's paper, what may not be deleted, and what may not grow.
#include <gtest/gtest.h>

#include "engines/lowered_engine.h"
#include "tests/support/prose.h"
#include "tests/support/random_trace.h"
#include "tests/support/verdict.h"

namespace omnium::test {
namespace {

// [Section 3] "This is a serious error": t2 has ended before T1 writes x, and is on the cycle.
constexpr std::string_view kDeletion = R"(
    T1: begin(t1) r(x)                                                w(x)
    T2:                begin(t2) w(x) r(z)                       end
    T3:                                    begin(t3) w(z)                  )";

TEST(SummaryGraph, AnEndedTransactionCanStillBeOnACycle) {
  expect_not_serializable(kDeletion);
  expect_verdict(prefix(figure(kDeletion), 8), true);
  const EngineRun run = run_named("summary-graph", figure(kDeletion));
  EXPECT_EQ(run.findings.cycle()->closed_at, 8u);
}

// C(t1) takes over what t2 remembers of t3, which ended first.
TEST(SummaryGraph, ConflictSetsAreHandedOverAlongChains) {
  expect_not_serializable(R"(
    T1: begin(t1) w(x)                                                          r(z) end
    T2:                begin(t2) w(y)                              r(x) end
    T3:                               begin(t3) r(y) w(z) end                            )");
}

// Predecessors are connected to successors: t1 -> t2 -> t3 becomes t1 -> t3 when t2 ends, whichever
// of t1 and t3 ends first.
TEST(SummaryGraph, RemovedNodesAreBypassed) {
  expect_not_serializable(R"(
    T1: begin(t1) w(x)                                              r(q) end
    T2:                begin(t2) r(x) w(y)                     end
    T3:                                    begin(t3) r(y) w(q)               end )");
  expect_not_serializable(R"(
    T1: begin(t1) w(x)                                              r(q)     end
    T2:                begin(t2) r(x) w(y)                     end
    T3:                                    begin(t3) r(y) w(q)           end     )");
}

// T:a in C: later transactions of T come after it, also if it is one event or nothing but a block.
TEST(SummaryGraph, ConflictSetsKeepTheThread) {
  expect_not_serializable(R"(
    T1: begin(t1) w(x)                                       r(y) end
    T2:                begin(t2) r(x) end begin(t3) w(y) end          )");
  expect_not_serializable(R"(
    T1: begin(t1) w(x)           r(y) end
    T2:                r(x) w(y)          )");
  expect_not_serializable(R"(
    T1: begin(t1) fork(T2)                          r(y) end
    T2:                    begin(t2) end
    T3:                                  join(T2) w(y)        )");
}

// [Rule 5] A thread has ended, but a second join still comes after all it did.
TEST(SummaryGraph, AThreadMayBeJoinedTwice) {
  expect_not_serializable(R"(
    T1: begin(t1) w(x)                                 r(y) end
    T2:                r(x)
    T3:                     join(T2)
    T4:                              join(T2) w(y)               )");
}

// [Proposition 2] Space is by active threads: one block starts a thousand threads, one after the
// other, each of which follows it and is joined. Its C has the actions of one of them.
TEST(SummaryGraph, ThreadsThatComeAndGoTakeNoSpace) {
  constexpr std::uint16_t kThreads = 1'000;
  for (const bool joined : {true, false}) {
    std::vector<Event> events{{Kind::kBegin, 0, 0}, {Kind::kWrite, 0, 0}};
    for (std::uint16_t t = 1; t <= kThreads; ++t) {
      events.insert(events.end(), {{Kind::kBegin, t, 0}, {Kind::kRead, t, 0}, {Kind::kEnd, t, 0}});
      // Another thread joins, outside blocks, so that nothing closes a cycle.
      if (joined) events.push_back({Kind::kJoin, kThreads + 1, t});
    }
    const EngineRun run = run_engine(*find_engine("summary-graph"), events,
                                     {kThreads + 2, 1, 1, 1}, false);
    EXPECT_TRUE(run.findings.serializable());
    const std::uint64_t entries = counter(run, "most entries of S and C");
    if (joined) {
      EXPECT_LE(entries, 16u);
    } else {
      EXPECT_GE(entries, kThreads);
    }
  }
}

// A second join of a thread that was forgotten: those before it are known by its group, also when
// other threads are in the same one, and when the block that preceded them has ended.
TEST(SummaryGraph, ForgottenThreadsMayBeJoinedAgain) {
  expect_not_serializable(R"(
    T1: begin(t1) w(x)                                                   r(y) end
    T2:                r(x)
    T3:                     r(x)
    T4:                          join(T2) join(T3)
    T5:                                            join(T3) w(y)                  )");
  expect_serializable(R"(
    T1: begin(t1) w(x)                         end                              begin(t3) r(y) end
    T2:                r(x)
    T4:                     join(T2)
    T5:                                            begin(t2) join(T2) w(y) end )");
}

TEST(SummaryGraph, AJoinedThreadMayHaveAnOpenBlock) {
  expect_not_serializable(R"(
    T1: begin(t1) w(x)                join(T2) end
    T2:                begin(t2) r(x)              )");
  expect_not_serializable(R"(
    T1: begin(t1) w(x)                              r(y) end
    T2:                begin(t2) r(x)
    T3:                               join(T2) w(y)          )");
  expect_serializable(R"(
    T1: begin(t1)                w(x) join(T2) end
    T2:           begin(t2) r(x)                   )");
}

TEST(SummaryGraph, EveryRuleIsHit) {
  CounterSums counters;
  counters.add(run_named("summary-graph", figure(kDeletion)));
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    counters.add(run_named("summary-graph", random_trace(seed, random_shape(seed))));
  }
  for (const auto& [name, value] : counters.sums()) {
    if (name == "sets widened") continue;
    EXPECT_GT(value, 0u) << name;
  }
}

// Eight threads update variables under the variable's lock, in blocks and outside, while one block
// stays open that all of them follow. The lap ends as it began, so it can be repeated.
std::vector<Event> one_lap() {
  constexpr std::uint32_t kThreads = 8, kVariables = 64, kLocks = 4;
  std::vector<Event> events;
  std::uint32_t dice = 1;
  for (std::uint32_t step = 0; step < 4'000; ++step) {
    dice = dice * 1'103'515'245 + 12'345;
    const auto t = static_cast<std::uint16_t>(1 + (dice >> 16) % kThreads);
    const std::uint32_t x = 1 + (dice >> 20) % kVariables;
    const std::uint32_t lock = x % kLocks;
    const bool block = (dice >> 27) % 4 != 0;
    if (block) events.push_back({Kind::kBegin, t, 0});
    events.push_back({Kind::kAcquire, t, lock});
    events.push_back({Kind::kRead, t, x});
    events.push_back({Kind::kRead, t, 0});
    events.push_back({Kind::kWrite, t, x});
    events.push_back({Kind::kRelease, t, lock});
    if (block) events.push_back({Kind::kEnd, t, 0});
  }
  return events;
}

TEST(SummaryGraph, MemoryDoesNotGrowWithTheTrace) {
  const std::vector<Event> start = {{Kind::kBegin, 0, 0}, {Kind::kWrite, 0, 0}};
  const std::vector<Event> lap = one_lap();
  const Extent extent{9, 65, 4, 1};
  for (const std::string_view name : {"summary-graph", "aerodrome"}) {
    Collector findings(Collector::Wants::kFirstInstances);
    LoweredEngine engine(*find_engine(name), findings, kAsPublished);
    engine.consume({start, 0, extent});
    EventIndex done = start.size();
    const auto run_lap = [&] {
      engine.consume({lap, done, extent});
      done += lap.size();
    };
    const auto sizes = [&] {
      std::vector<std::uint64_t> values;
      for (const Counter& counter : engine.counters()) {
        if (counter.name.starts_with("most ") || counter.name.starts_with("largest ")) {
          values.push_back(counter.value);
        }
      }
      return values;
    };
    run_lap();
    run_lap();
    const auto after_two_laps = sizes();
    while (done < 10'000'000) run_lap();
    EXPECT_EQ(sizes(), after_two_laps) << name;
    for (const std::uint64_t size : sizes()) EXPECT_LE(size, 9u * (2 * 65 + 4 + 9)) << name;
    EXPECT_TRUE(findings.serializable()) << name;
  }
}

}  // namespace
}  // namespace omnium::test
