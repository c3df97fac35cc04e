// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Reduction, block-based and goodlock against every interleaving of small programs.
#include <gtest/gtest.h>

#include "predict/deadlock.h"
#include "tests/predict/predicting.h"
#include "tests/support/interleavings.h"
#include "tests/support/random_recording.h"
#include "tests/support/random_trace.h"

namespace omnium::test {
namespace {

template <class Check>
void for_seeds(std::uint64_t traces, Check&& check) {
  const std::uint64_t first = number_from_environment("OMNIUM_SEED", 0);
  traces = number_from_environment("OMNIUM_TRACES", traces);
  for (std::uint64_t seed = first; seed < first + traces; ++seed) {
    check(seed);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Reduction, AtomicIsRight) {
  for_seeds(3'000, [](std::uint64_t seed) {
    RecordingShape shape = random_recording_shape(seed);
    shape.fork_join = seed % 3 == 0;
    const Trace trace = random_recording(seed, shape);
    if (!run_method(trace, Method::kReduction).atomic()) return;
    const auto truth = explore_interleavings(trace.events, trace.names.extent(), Views::kNo);
    ASSERT_TRUE(!truth.complete || truth.conflict_atomic) << "OMNIUM_SEED=" << seed << "\n"
                                                          << to_std(trace);
  });
}

TEST(Reduction, AtomicIsRightOnAnyTrace) {
  for_seeds(3'000, [](std::uint64_t seed) {
    const auto small = static_cast<std::uint32_t>(seed % 1000);
    Shape shape = random_shape(seed);
    shape.threads = 2 + small % 2;
    shape.events = 8 + small % 9;
    shape.variables = 1 + small % 2;
    const Trace trace = random_trace(seed, shape);
    if (!run_method(trace, Method::kReduction).atomic()) return;
    const auto truth = explore_interleavings(trace.events, trace.names.extent(), Views::kNo);
    ASSERT_TRUE(!truth.complete || truth.conflict_atomic) << "OMNIUM_SEED=" << seed << "\n"
                                                          << to_std(trace);
  });
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

TEST(BlockBased, ExactForTwoTransactions) {
  for_seeds(4'000, [](std::uint64_t seed) {
    RecordingShape shape = random_recording_shape(seed);
    shape.threads = 2;
    shape.transactions = 1;
    shape.outside = false;
    shape.ordered_locks = seed % 2 == 0;
    shape.operations = 8 + static_cast<std::uint32_t>(seed % 9);
    const Trace trace = random_recording(seed, shape);
    const auto truth = explore_interleavings(trace.events, trace.names.extent());
    if (!truth.complete || truth.deadlock_possible) return;
    ASSERT_EQ(run_method(trace, Method::kBlock).atomic(), truth.view_atomic)
        << "OMNIUM_SEED=" << seed << "\n"
        << to_std(trace);
  });
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
  return predict::find_deadlocks(trace.events, extent,
                                 predict::ThreadPeriods(trace.events, extent.threads));
}

TEST(Deadlock, NoPotentialMeansNoDeadlock) {
  std::uint64_t possible = 0, reported = 0;
  for_seeds(1'500, [&](std::uint64_t seed) {
    RecordingShape shape;
    shape.threads = 2 + static_cast<std::uint32_t>(seed % 2);
    shape.operations = 9 * shape.threads;
    shape.locks = 2 + static_cast<std::uint32_t>(seed % 3 == 0);
    shape.ordered_locks = false;
    shape.variables = 1;
    const Trace trace = random_recording(seed, shape);
    const auto truth = explore_interleavings(trace.events, trace.names.extent(), Views::kNo);
    if (!truth.complete) return;
    const bool absent = deadlocks(trace).absent();
    possible += truth.deadlock_possible;
    reported += !absent;
    ASSERT_TRUE(!absent || !truth.deadlock_possible) << "OMNIUM_SEED=" << seed << "\n"
                                                     << to_std(trace);
  });
  std::printf("%lu deadlocks possible, %lu reported\n", possible, reported);
  if (number_from_environment("OMNIUM_TRACES", 1'500) == 1'500) {
    EXPECT_GT(possible, 50u);
  }
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

}  // namespace
}  // namespace omnium::test
