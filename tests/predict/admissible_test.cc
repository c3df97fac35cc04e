// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The rules of docs/algorithms/prediction.md#admissible, one by one: what a thread may do next.
#include <gtest/gtest.h>

#include "predict/admissible.h"
#include "tests/predict/predicting.h"

namespace omnium::test {
namespace {

using predict::Admissible;
using predict::Reads;
using Step = Admissible::Step;

// Lets the threads named in `turns` ("0 0 1") go, and says what thread t may do then.
Admissible::Next after(const std::string& recording, const std::string& turns, std::uint32_t t,
                       Reads reads = Reads::kAsRecorded) {
  Trace trace = recorded(recording);
  const auto id = [&](std::uint32_t number) {
    return trace.names.threads.intern("T" + std::to_string(number));
  };
  const auto follows = predict::followed_signals(trace.names);
  const predict::Recording index(trace.events, trace.names.extent(), follows);
  Admissible machine(index);
  machine.start(0, reads);
  std::istringstream threads(turns);
  for (std::uint32_t each = 0; threads >> each;) {
    const Step step = machine.next(id(each)).step;
    EXPECT_TRUE(step == Step::kReady || step == Step::kLast) << recording << ", " << turns;
    machine.step(id(each), step);
  }
  return machine.next(id(t));
}

void expect_blocked(const Admissible::Next& next, std::uint32_t by) {
  EXPECT_EQ(next.step, Step::kBlocked);
  EXPECT_EQ(next.blocker, by);
}

TEST(Admissible, Locks) {
  const std::string sides = "T0 racq(l) rrel(l) | T1 racq(l) rrel(l) | T2 acq(l) rel(l)";
  EXPECT_EQ(after(sides, "0", 1).step, Step::kReady);
  expect_blocked(after(sides, "0", 2), 0);
  expect_blocked(after(sides, "2", 1), 2);
  EXPECT_EQ(after(sides, "2 2", 1).step, Step::kReady);
}

TEST(Admissible, TriesFailWhileAnotherThreadHoldsTheLock) {
  const std::string tries = "T0 acq(l) | T1 busy(l) | T0 rel(l)";
  expect_blocked(after(tries, "", 1), 0);
  EXPECT_EQ(after(tries, "0", 1).step, Step::kReady);
  EXPECT_EQ(after(tries, "0 0", 1).step, Step::kBlocked);
}

TEST(Admissible, TheLastReferenceIsDroppedAfterAllOthers) {
  const std::string dropped = "T0 signal(o) | T1 signal(o) | T2 signal(last:o) | T1 signal(o)";
  expect_blocked(after(dropped, "", 2), 0);
  expect_blocked(after(dropped, "0", 2), 1);
  EXPECT_EQ(after(dropped, "0 1", 2).step, Step::kReady);
}

TEST(Admissible, SignalsAndNotifications) {
  expect_blocked(after("T0 signal(c) | T1 await(c)", "", 1), 0);
  EXPECT_EQ(after("T1 await(c) | T0 signal(c)", "", 1).step, Step::kReady);
  const std::string notified =
      "T0 acq(m) wait(m) | T1 acq(m) signal(v) rel(m) | T0 await(v) resume(m) rel(m)";
  expect_blocked(after(notified, "1", 1), 0);
  EXPECT_EQ(after(notified, "0 0 1", 1).step, Step::kReady);
  expect_blocked(after(notified, "0 0 1 1 0", 0), 1);
}

TEST(Admissible, ThreadsBeginAndEnd) {
  const std::string child = "T0 fork(T1) | T1 w(x) w(x) | T0 join(T1)";
  expect_blocked(after(child, "", 1), 0);
  expect_blocked(after(child, "0 1", 0), 1);
  EXPECT_EQ(after(child, "0 1 1", 0).step, Step::kReady);
}

TEST(Admissible, ReadsThatSeeAnotherWrite) {
  for (const std::string read : {"r(x)", "ar(x)", "rmw(x)", "retry(x)"}) {
    const std::string recording = "T0 w(x) | T1 " + read + " w(y)";
    const bool plain = read == "r(x)";
    const bool load = plain || read == "ar(x)";
    EXPECT_EQ(after(recording, "0", 1).step, Step::kReady) << read;
    const auto certain = after(recording, "", 1);
    EXPECT_EQ(certain.step, load ? Step::kLast : Step::kBlocked) << read;
    EXPECT_EQ(certain.blocker, 0u) << read;
    const auto possible = after(recording, "", 1, Reads::kAtomicAsRecorded);
    EXPECT_EQ(possible.step, plain ? Step::kReady : load ? Step::kLast : Step::kBlocked) << read;
    EXPECT_EQ(after(recording, "", 1, Reads::kFree).step, Step::kReady) << read;
  }
  // Behind such a read the thread is over, and what is overwritten never comes back.
  EXPECT_EQ(after("T0 w(x) | T1 ar(x) w(y)", "1", 1).step, Step::kNever);
  EXPECT_EQ(after("T1 rmw(x) | T0 w(x)", "0", 1).step, Step::kNever);
}

}  // namespace
}  // namespace omnium::test
