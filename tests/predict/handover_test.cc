// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Recordings of synchronization, written by hand. Where it is correct nothing is certain, and
// nothing possible where what is recorded keeps the order; where it is not, something is.
#include <gtest/gtest.h>

#include "tests/predict/predicting.h"

namespace omnium::test {
namespace {

using predict::Grade;

// The best grade, by the complete search and by windows alone.
void expect_best(const std::string& turns, Grade expected) {
  const Trace trace = recorded(turns);
  for (const std::size_t complete : {64u, 0u}) {
    predict::PredictOptions options;
    options.complete_search = complete;
    const auto result = predict::predict(loaded(trace), options).methods[0];
    Grade best = Grade::kUndecided;
    for (const predict::Warning& warning : result.warnings) best = std::max(best, warning.grade);
    EXPECT_EQ(to_string(best), to_string(expected)) << turns << ", complete " << complete;
    EXPECT_EQ(result.recorded, 0u) << turns;
  }
}

constexpr Grade kNothing = Grade::kUndecided;

// Without a reference the other thread might have found something else in the map, at best.
TEST(HandOver, NobodyUsesWhatHasNoReferenceAnyMore) {
  const std::string use = "T1 begin(use) r(map) r(value) end signal(o) | ";
  expect_best(use + "T2 begin(erase) w(map) signal(last:o) w(value) end", Grade::kPossible);
  expect_best(use + "T2 begin(erase) w(map) w(value) end", Grade::kCertain);
}

TEST(HandOver, OrderedByWhatIsRecorded) {
  // A semaphore; a future; a barrier.
  expect_best("T1 begin(put) w(a) w(b) end signal(s!1) | T2 await(s!1) begin(get) r(a) r(b) end",
              kNothing);
  expect_best(
      "T1 begin(f) w(a) w(b) end signal(c) | T2 signal(c) await(c) begin(g) r(a) w(b) end | "
      "T1 await(c)",
      kNothing);
  // A condition variable; its notification is behind the wait that it ends.
  expect_best(
      "T2 acq(m) r(go) wait(m) | T1 begin(put) w(a) w(b) end acq(m) w(go) signal(v!1) rel(m) | "
      "T2 await(v!1) resume(m) r(go) rel(m) begin(get) r(a) r(b) end",
      kNothing);
  // A flag that is spun on; publication.
  expect_best(
      "T2 retry(flag) | T1 begin(put) w(a) w(b) end aw(flag) | "
      "T2 retry(flag) ar(flag) begin(get) r(a) r(b) end",
      kNothing);
  expect_best("T1 begin(put) w(a) w(b) aw(p) end | T2 begin(get) ar(p) r(a) r(b) end", kNothing);
  // Threads.
  expect_best("T1 begin(put) w(a) w(b) end fork(T2) | T2 begin(get) r(a) r(b) end", kNothing);
}

// An atomic load that is the last event of its thread need not see what it saw, and says nothing to
// whoever joins the thread.
TEST(HandOver, ThroughALoadThatNobodyLooksAt) {
  expect_best("T1 begin(put) w(a) w(b) aw(f) end | T3 ar(f) | T2 join(T3) begin(get) r(a) r(b) end",
              Grade::kCertain);
  expect_best(
      "T1 begin(put) w(a) w(b) aw(f) end | T3 ar(f) w(z) | T2 join(T3) begin(get) r(a) r(b) end",
      kNothing);
}

TEST(HandOver, ThroughAFlagUnderALock) {
  expect_best(
      "T1 begin(put) w(a) w(b) end acq(m) w(ready) rel(m) | "
      "T2 acq(m) r(ready) rel(m) begin(get) r(a) r(b) end",
      Grade::kPossible);
}

TEST(HandOver, SharedMutex) {
  expect_best(
      "T1 begin(set) acq(l) w(a) w(b) rel(l) end | T2 begin(get) racq(l) r(a) r(b) rrel(l) end | "
      "T3 begin(get) racq(l) r(b) r(a) rrel(l) end",
      kNothing);
  // A writer that takes the shared side only.
  expect_best(
      "T1 begin(set) racq(l) w(a) w(b) rrel(l) end | T2 begin(get) racq(l) r(a) r(b) rrel(l) end",
      Grade::kCertain);
  // The reader gives the lock back in the middle.
  expect_best(
      "T2 begin(get) racq(l) r(a) rrel(l) racq(l) r(a) rrel(l) end | "
      "T1 begin(set) acq(l) w(a) rel(l) end",
      Grade::kCertain);
}

TEST(HandOver, CompareExchangeLoops) {
  // A counter, a stack: whoever fails tries again.
  expect_best(
      "T1 begin(inc) ar(n) | T2 begin(inc) ar(n) rmw(n) end | T1 retry(n) rmw(n) end | "
      "T2 begin(inc) ar(n) rmw(n) end",
      kNothing);
  expect_best(
      "T1 begin(push) w(e1) ar(top) w(n1) | T2 begin(push) w(e2) ar(top) w(n2) rmw(top) end | "
      "T1 retry(top) w(n1) rmw(top) end | T2 begin(pop) ar(top) r(n1) rmw(top) r(e1) end",
      kNothing);
  // A stale read before the loop.
  expect_best("T1 begin(inc) r(limit) ar(n) rmw(n) r(limit) end | T2 w(limit)", Grade::kCertain);
}

TEST(HandOver, TriesThatFail) {
  // Nobody else can hold m there, so T2 does not come that far before T1 does.
  expect_best("T1 begin(f) acq(m) w(x) | T2 busy(m) | T1 w(x) rel(m) end | T2 w(x)",
              Grade::kCertain);
  expect_best("T1 acq(m) begin(f) w(x) w(x) end rel(m) | T3 acq(m) | T2 busy(m) w(x) | T3 rel(m)",
              Grade::kCertain);
}

TEST(HandOver, WaitingInABlock) {
  // A bounded buffer: the block gives way where it waits.
  expect_best(
      "T1 begin(put) acq(m) r(full) wait(m) | T2 begin(get) acq(m) w(full) signal(v!1) rel(m) end "
      "| "
      "T1 await(v!1) resume(m) r(full) w(full) rel(m) end",
      kNothing);
  // A block that forks and joins is not interrupted by its own children.
  expect_best("T1 begin(run) w(x) fork(T2) | T2 w(x) | T1 join(T2) r(x) end", kNothing);
  // An await that need not wait cuts nothing.
  expect_best("T0 signal(c) | T1 begin(f) r(x) await(c) w(x) end | T2 w(x)", Grade::kCertain);
  expect_best("T1 begin(f) r(x) | T0 signal(c) | T1 await(c) w(x) end | T2 w(x)", Grade::kCertain);
}

}  // namespace
}  // namespace omnium::test
