// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Reduction, block-based and goodlock against every interleaving of small programs.
#include <gtest/gtest.h>

#include "predict/deadlock.h"
#include "predict/loaded_trace.h"
#include "tests/predict/predicting.h"
#include "tests/support/interleavings.h"
#include "tests/support/random_recording.h"
#include "tests/support/random_trace.h"

namespace omnium::test {
namespace {

// True if all of them were checked: then what was counted can be held to its bounds.
template <class Check>
bool for_seeds(std::uint64_t all, Check&& check) {
  const std::uint64_t first = number_from_environment("OMNIUM_SEED", 0);
  const std::uint64_t traces = number_from_environment("OMNIUM_TRACES", all);
  for (std::uint64_t seed = first; seed < first + traces; ++seed) {
    check(seed);
    if (testing::Test::HasFatalFailure()) return false;
  }
  return first == 0 && traces >= all;
}

// What reduction calls atomic is so in every interleaving. Counts what it called so; there were too
// many interleavings to look at all of them where `skipped`.
struct Judged {
  std::uint64_t atomic = 0, skipped = 0;
};

void judge_reduction(std::uint64_t seed, const Trace& trace, Judged& judged) {
  if (!run_method(trace, Method::kReduction).atomic()) return;
  const auto truth = explore_interleavings(trace.events, trace.names.extent(), Views::kNo);
  ++judged.atomic;
  judged.skipped += !truth.complete;
  ASSERT_TRUE(!truth.complete || truth.conflict_atomic) << "OMNIUM_SEED=" << seed << "\n"
                                                        << to_std(trace);
}

TEST(Reduction, AtomicIsRight) {
  Judged judged;
  const bool all = for_seeds(3'000, [&](std::uint64_t seed) {
    RecordingShape shape = random_recording_shape(seed);
    shape.fork_join = seed % 3 == 0;
    judge_reduction(seed, random_recording(seed, shape), judged);
  });
  if (!all) return;
  EXPECT_GT(judged.atomic, 800u);
  EXPECT_LE(judged.skipped, 5u);
}

TEST(Reduction, AtomicIsRightOnAnyTrace) {
  Judged judged;
  const bool all = for_seeds(3'000, [&](std::uint64_t seed) {
    const auto small = static_cast<std::uint32_t>(seed % 1000);
    Shape shape = random_shape(seed);
    shape.threads = 2 + small % 2;
    shape.events = 8 + small % 9;
    shape.variables = 1 + small % 2;
    judge_reduction(seed, random_trace(seed, shape), judged);
  });
  if (!all) return;
  EXPECT_GT(judged.atomic, 1'200u);
  EXPECT_EQ(judged.skipped, 0u);
}

// Theorem 6.1: what reduction calls atomic, commit-node does.
TEST(Reduction, IsLessAccurateThanCommitNode) {
  for_seeds(20'000, [](std::uint64_t seed) {
    RecordingShape shape = random_recording_shape(seed);
    shape.operations = 10 + static_cast<std::uint32_t>(seed % 30);
    shape.fork_join = seed % 3 == 0;
    const Trace trace = random_recording(seed, shape);
    const auto fine = warned(run_method(trace, Method::kReduction));
    for (const EventIndex begin : warned(run_method(trace, Method::kCommitNode))) {
      ASSERT_TRUE(fine.contains(begin)) << "OMNIUM_SEED=" << seed << "\n" << to_std(trace);
    }
  });
}

// T2 takes m without g, so g does not keep others away from m: t gives m back and takes it again.
TEST(Reduction, ALockIsProtectedOnlyIfAllItsBlocksAre) {
  const Trace trace = figure(R"(
      T2: acq(m) w(x) rel(m)
      T3:                    acq(g) rel(g)
      T1:                                  begin(t) acq(g) acq(m) r(x) rel(m) acq(m) w(x) )"
                             R"(rel(m) rel(g) end)");
  EXPECT_EQ(warned(run_method(trace, Method::kReduction)).size(), 1u);
}

TEST(BlockBased, ExactForTwoTransactions) {
  std::uint64_t skipped = 0, atomic = 0;
  const bool all = for_seeds(4'000, [&](std::uint64_t seed) {
    RecordingShape shape = random_recording_shape(seed);
    shape.threads = 2;
    shape.transactions = 1;
    shape.outside = false;
    shape.ordered_locks = seed % 2 == 0;
    shape.operations = 8 + static_cast<std::uint32_t>(seed % 9);
    const Trace trace = random_recording(seed, shape);
    const auto truth = explore_interleavings(trace.events, trace.names.extent());
    skipped += !truth.complete || truth.deadlock_possible;
    if (!truth.complete || truth.deadlock_possible) return;
    atomic += truth.view_atomic;
    ASSERT_EQ(run_method(trace, Method::kBlock).atomic(), truth.view_atomic)
        << "OMNIUM_SEED=" << seed << "\n"
        << to_std(trace);
  });
  if (!all) return;
  EXPECT_GT(atomic, 500u);
  EXPECT_LE(skipped, 20u) << "too many interleavings, or a deadlock";
}

// Two algorithms, one answer: the transactions themselves, too.
TEST(BlockBased, WarnsAboutWhatCommitNodeWarnsAboutForTwoTransactions) {
  for_seeds(20'000, [](std::uint64_t seed) {
    RecordingShape shape = random_recording_shape(seed);
    shape.threads = 2;
    shape.transactions = 1;
    shape.outside = false;
    shape.operations = 8 + static_cast<std::uint32_t>(seed % 30);
    const Trace trace = random_recording(seed, shape);
    ASSERT_EQ(warned(run_method(trace, Method::kBlock)),
              warned(run_method(trace, Method::kCommitNode, Atomicity::kView)))
        << "OMNIUM_SEED=" << seed << "\n"
        << to_std(trace);
  });
}

predict::DeadlockPotential deadlocks(const Trace& trace) {
  const Extent extent = trace.names.extent();
  const predict::Recording recording(trace.events, extent);
  return predict::find_deadlocks(trace.events, extent,
                                 predict::ThreadPeriods(recording, predict::AtomicReads::kOrder),
                                 predict::tried_locks(trace.names));
}

TEST(Deadlock, NoPotentialMeansNoDeadlock) {
  constexpr std::uint64_t kTraces = 1'500;
  std::uint64_t possible = 0, reported = 0, skipped = 0;
  const bool all = for_seeds(kTraces, [&](std::uint64_t seed) {
    RecordingShape shape;
    shape.threads = 2 + static_cast<std::uint32_t>(seed % 2);
    shape.operations = 9 * shape.threads;
    shape.locks = 2 + static_cast<std::uint32_t>(seed % 3 == 0);
    shape.ordered_locks = false;
    shape.variables = 1;
    const Trace trace = random_recording(seed, shape);
    const auto truth = explore_interleavings(trace.events, trace.names.extent(), Views::kNo);
    skipped += !truth.complete;
    if (!truth.complete) return;
    const bool absent = deadlocks(trace).absent();
    possible += truth.deadlock_possible;
    reported += !absent;
    ASSERT_TRUE(!absent || !truth.deadlock_possible) << "OMNIUM_SEED=" << seed << "\n"
                                                     << to_std(trace);
  });
  if (!all) return;
  EXPECT_GT(possible, 150u);
  // Potential is not more than that, but in programs as small as these it is nearly always real.
  EXPECT_LE(reported, possible + 5);
  EXPECT_LE(skipped, kTraces / 15) << "too large to look at all interleavings";
}

TEST(Deadlock, AGuardLockKeepsThemApart) {
  const Trace crossed = figure(R"(
      T1: acq(l) acq(m) rel(m) rel(l)
      T2:                              acq(m) acq(l) rel(l) rel(m) )");
  ASSERT_EQ(deadlocks(crossed).cycles.size(), 1u);
  EXPECT_EQ(deadlocks(crossed).cycles[0].size(), 2u);
  EXPECT_EQ(deadlocks(crossed).cycles[0][0].inner_at, 1u);
  EXPECT_EQ(deadlocks(crossed).cycles[0][1].inner_at, 5u);
  EXPECT_TRUE(deadlocks(figure(R"(
      T1: acq(g) acq(l) acq(m) rel(m) rel(l) rel(g)
      T2:                                           acq(g) acq(m) acq(l) rel(l) rel(m) rel(g) )"))
                  .absent());
  EXPECT_TRUE(deadlocks(figure(R"(
      T1: acq(l) acq(m) rel(m) rel(l) fork(T2)
      T2:                                      acq(m) acq(l) rel(l) rel(m) )"))
                  .absent());
}

// std::lock tries its second lock.
TEST(Deadlock, ATryDoesNotWait) {
  Trace trace = figure(R"(
      T1: acq(l) signal(c) acq(m) rel(m) rel(l)
      T2:                                       acq(m) acq(l) rel(l) rel(m) )");
  ASSERT_EQ(deadlocks(trace).cycles.size(), 1u);
  trace.names.signals = {};
  trace.names.signals.intern("try m");
  EXPECT_TRUE(deadlocks(trace).cycles.empty());
  EXPECT_FALSE(deadlocks(trace).absent()) << "the recorded events can get stuck";

  Trace later = figure(R"(
      T1: acq(l) signal(c) acq(n) rel(n) acq(m) rel(m) rel(l)
      T2:                                                     acq(m) acq(l) rel(l) rel(m) )");
  later.names.signals = {};
  later.names.signals.intern("try m");
  EXPECT_EQ(deadlocks(later).cycles.size(), 1u) << "only the next event is the try";
}

}  // namespace
}  // namespace omnium::test
