// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The commit-node algorithm against every interleaving of small programs. A failure prints its
// seed:
//   OMNIUM_SEED=17 OMNIUM_TRACES=1 build/release/test-predict --gtest_filter='CommitNode*'
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/predict/predicting.h"
#include "tests/support/interleavings.h"
#include "tests/support/random_recording.h"
#include "tests/support/random_trace.h"
#include "tests/support/run.h"

namespace omnium::test {
namespace {

std::set<EventIndex> suspects(const Trace& trace, Atomicity atomicity,
                              const predict::TreeOptions& options = {}) {
  return warned(run_method(trace, Method::kCommitNode, atomicity, options));
}

struct Tally {
  std::uint64_t atomic = 0, not_atomic = 0, false_alarms = 0, skipped = 0;
};

// "Atomic" must be right; with `exact`, "not atomic" too.
void compare(std::uint64_t seed, const Trace& trace, bool exact, bool view, Tally& tally) {
  const AllInterleavings truth =
      explore_interleavings(trace.events, trace.names.extent(), view ? Views::kYes : Views::kNo);
  if (!truth.complete || (exact && truth.deadlock_possible)) {
    ++tally.skipped;
    return;
  }
  const bool conflict = suspects(trace, Atomicity::kConflict).empty();
  (truth.conflict_atomic ? tally.atomic : tally.not_atomic)++;
  tally.false_alarms += truth.conflict_atomic && !conflict;
  if (conflict) {
    ASSERT_TRUE(truth.conflict_atomic) << "OMNIUM_SEED=" << seed << "\n" << to_std(trace);
  } else if (exact) {
    ASSERT_FALSE(truth.conflict_atomic) << "OMNIUM_SEED=" << seed << "\n" << to_std(trace);
  }
  if (!view || truth.deadlock_possible) return;
  const bool view_atomic = suspects(trace, Atomicity::kView).empty();
  tally.false_alarms += truth.view_atomic && !view_atomic;
  if (view_atomic) {
    ASSERT_TRUE(truth.view_atomic) << "view OMNIUM_SEED=" << seed << "\n" << to_std(trace);
  } else if (exact) {
    ASSERT_FALSE(truth.view_atomic) << "view OMNIUM_SEED=" << seed << "\n" << to_std(trace);
  }
}

// What may become of the seeds of a test. They are always the same, so these are what was counted
// and a little more. Skipped are programs with more interleavings than can be looked at, and where
// answers are to be exact those that can deadlock. A false alarm is what the method is known for
// beyond two transactions; more of them mean that it has become less precise.
struct AtMost {
  std::uint64_t skipped, false_alarms;
};

template <class Make>
void compare_all(std::uint64_t all, const AtMost& bounds, bool exact, bool view, Make&& make) {
  const std::uint64_t first = number_from_environment("OMNIUM_SEED", 0);
  const std::uint64_t traces = number_from_environment("OMNIUM_TRACES", all);
  Tally tally;
  for (std::uint64_t seed = first; seed < first + traces; ++seed) {
    compare(seed, make(seed), exact, view, tally);
    if (testing::Test::HasFatalFailure()) return;
  }
  if (traces < all || first != 0) return;
  EXPECT_GT(tally.atomic, all / 10);
  EXPECT_GT(tally.not_atomic, all / 3);
  EXPECT_LE(tally.skipped, bounds.skipped);
  EXPECT_LE(tally.false_alarms, bounds.false_alarms);
}

TEST(CommitNode, ExactForTwoTransactions) {
  compare_all(4'000, {5, 0}, true, true, [](std::uint64_t seed) {
    RecordingShape shape = random_recording_shape(seed);
    shape.threads = 2;
    shape.transactions = 1;
    shape.outside = false;
    shape.operations = 8 + static_cast<std::uint32_t>(seed % 9);
    return random_recording(seed, shape);
  });
}

TEST(CommitNode, ExactForTwoTransactionsWithLocksInAnyOrder) {
  compare_all(4'000, {35, 0}, true, true, [](std::uint64_t seed) {
    RecordingShape shape = random_recording_shape(seed);
    shape.threads = 2;
    shape.transactions = 1;
    shape.outside = false;
    shape.locks = 3;
    shape.ordered_locks = false;
    shape.operations = 8 + static_cast<std::uint32_t>(seed % 9);
    return random_recording(seed, shape);
  });
}

TEST(CommitNode, AtomicIsRight) {
  compare_all(2'000, {80, 12}, false, true, [](std::uint64_t seed) {
    return random_recording(seed, random_recording_shape(seed));
  });
}

TEST(CommitNode, AtomicIsRightWithForkAndJoin) {
  compare_all(3'000, {30, 30}, false, true, [](std::uint64_t seed) {
    RecordingShape shape = random_recording_shape(seed);
    shape.fork_join = true;
    return random_recording(seed, shape);
  });
}

// Beyond the theorems: locks outside transactions and in any order (complete interleavings only).
TEST(CommitNode, AtomicIsRightWithLocksAnywhere) {
  compare_all(1'000, {35, 4}, false, false, [](std::uint64_t seed) {
    RecordingShape shape = random_recording_shape(seed);
    shape.outside = shape.outside_locks = true;
    shape.ordered_locks = false;
    shape.fork_join = seed % 2 == 0;
    return random_recording(seed, shape);
  });
}

// Locks that are not nested: hand over hand, for example.
TEST(CommitNode, AtomicIsRightWithLocksThatAreNotNested) {
  compare_all(1'500, {50, 9}, false, true, [](std::uint64_t seed) {
    RecordingShape shape = random_recording_shape(seed);
    shape.locks = 2 + static_cast<std::uint32_t>(seed % 2);
    shape.unnested = true;
    return random_recording(seed, shape);
  });
}

// Locks across the borders of blocks, re-entrant, nested blocks, blocks left open.
TEST(CommitNode, AtomicIsRightOnAnyTrace) {
  compare_all(3'000, {0, 3}, false, false, [](std::uint64_t seed) {
    const auto small = static_cast<std::uint32_t>(seed % 1000);
    Shape shape = random_shape(seed);
    shape.threads = 2 + small % 2;
    shape.events = 8 + small % 9;
    shape.variables = 1 + small % 2;
    shape.locks = small % 3;
    return random_trace(seed, shape);
  });
}

// The third write at the top is the unit's last one, and nobody protects it: t2 is not atomic.
TEST(CommitNode, TrimmingKeepsTheLastWrite) {
  const Trace trace = figure(R"(
      T1: begin(t1) w(x) w(x) acq(l) w(x) rel(l) w(x) end
      T2:   )"
                             "                                             "
                             R"(begin(t2) acq(l) w(x) r(x) rel(l) end )");
  EXPECT_EQ(suspects(trace, Atomicity::kView),
            suspects(trace, Atomicity::kView, {.trim = false, .merge_copies = false}));
  // Only the last write of x counts, and it is behind that of y: t is atomic for whoever looks.
  EXPECT_TRUE(suspects(figure(R"(
      T1: begin(t) w(x) w(x) w(y) w(x) end
      T2:                                  w(x) r(y) )"),
                       Atomicity::kView)
                  .empty());
}

// The block meets T1 in x and T2 in y, and these two have nothing to do with each other: no cycle.
Trace two_strangers(std::uint32_t threads) {
  Trace trace = figure(R"(
      T0: begin(b) w(x) w(y) end
      T1:                        w(x)
      T2:                             w(y) )");
  for (std::uint32_t t = 3; t < threads; ++t) {
    trace.names.threads.intern(fmt::format("T{}", t));
    const auto thread = static_cast<std::uint16_t>(t);
    trace.events.push_back({Kind::kRead, thread, trace.names.variables.intern("z")});
  }
  return trace;
}

// Who can be reached through other threads is known exactly up to 64 threads. Beyond, everybody
// counts as reachable: a false alarm, which is the price of not squaring the number of threads.
TEST(CommitNode, StrangersAreNoWayBackUpToSixtyFourThreads) {
  for (const std::uint32_t threads : {3u, 5u, 32u, 64u}) {
    EXPECT_TRUE(suspects(two_strangers(threads), Atomicity::kConflict).empty()) << threads;
  }
  EXPECT_EQ(suspects(two_strangers(65), Atomicity::kConflict).size(), 1u);
}

// T3 has ended when T2 has, and T2 when T1 goes on: nothing can come between what a does.
TEST(CommitNode, WhoJoinsAThreadIsAfterWhatThatOneJoined) {
  const Trace trace = figure(R"(
      T1: fork(T2)                                               join(T2) begin(a) r(x) w(x) end
      T2:          fork(T3)                             join(T3)
      T3:                   begin(b) r(x) w(x) end                                              )");
  EXPECT_TRUE(suspects(trace, Atomicity::kConflict).empty());
}

TEST(CommitNode, TrimmingAndMergingChangeNoAnswer) {
  const std::uint64_t first = number_from_environment("OMNIUM_SEED", 0);
  const std::uint64_t traces = number_from_environment("OMNIUM_TRACES", 20'000);
  for (std::uint64_t seed = first; seed < first + traces; ++seed) {
    RecordingShape shape = random_recording_shape(seed);
    shape.operations = 10 + static_cast<std::uint32_t>(seed % 60);
    shape.transactions = 1 + static_cast<std::uint32_t>(seed % 8);
    shape.variables = 1 + static_cast<std::uint32_t>(seed % 2);
    shape.fork_join = seed % 3 == 0;
    const Trace trace = random_recording(seed, shape);
    for (const Atomicity atomicity : {Atomicity::kConflict, Atomicity::kView}) {
      const auto plain = suspects(trace, atomicity, {.trim = false, .merge_copies = false});
      ASSERT_EQ(suspects(trace, atomicity, {.trim = true, .merge_copies = false}), plain)
          << "OMNIUM_SEED=" << seed << "\n"
          << to_std(trace);
      ASSERT_EQ(suspects(trace, atomicity, {}).empty(), plain.empty())
          << "OMNIUM_SEED=" << seed << "\n"
          << to_std(trace);
    }
  }
}

// Violations of the recorded order that do not need the order of lock operations.
TEST(CommitNode, WhatCheckFindsThroughDataIsSuspect) {
  const std::uint64_t first = number_from_environment("OMNIUM_SEED", 0);
  const std::uint64_t traces = number_from_environment("OMNIUM_TRACES", 20'000);
  std::uint64_t violations = 0;
  for (std::uint64_t seed = first; seed < first + traces; ++seed) {
    const Trace trace = random_trace(seed, random_shape(seed));
    auto unlocked = trace.events;
    for (Event& event : unlocked) {
      if (event.kind == Kind::kAcquire || event.kind == Kind::kRelease) event.kind = Kind::kSkip;
    }
    const auto run = run_engine(*find_engine("reach"), unlocked, trace.names.extent(), false);
    const auto found = suspects(trace, Atomicity::kConflict, {.trim = true, .merge_copies = false});
    for (const Violation& violation : run.findings.violations()) {
      ++violations;
      ASSERT_TRUE(found.contains(violation.transaction.begin))
          << "OMNIUM_SEED=" << seed << " begin " << violation.transaction.begin << "\n"
          << to_std(trace);
    }
    ASSERT_TRUE(run.findings.serializable() || !found.empty()) << "OMNIUM_SEED=" << seed;
  }
  EXPECT_GT(violations, traces == 20'000 ? 1'000u : 0u);
}

}  // namespace
}  // namespace omnium::test
