// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The automaton, event by event.
#include <gtest/gtest.h>

#include "model/monitor.h"

namespace omnium::test {
namespace {

using model::Monitor;
using model::State;

constexpr auto kRead = model::Touch::kRead;
constexpr auto kWrite = model::Touch::kWrite;
constexpr bool kOpen = true;
constexpr bool kUnary = false;

State threads(std::size_t count) {
  State state;
  state.rows.resize(count);
  return state;
}

TEST(Monitor, LostUpdate) {
  State s = threads(2);
  EXPECT_FALSE(Monitor::access(s, 0, 0, kRead, kOpen));
  EXPECT_FALSE(Monitor::access(s, 1, 0, kWrite, kUnary));
  EXPECT_TRUE(Monitor::access(s, 0, 0, kWrite, kOpen));
}

TEST(Monitor, ReadsDoNotConflict) {
  State s = threads(2);
  EXPECT_FALSE(Monitor::access(s, 0, 0, kRead, kOpen));
  EXPECT_FALSE(Monitor::access(s, 1, 0, kRead, kUnary));
  EXPECT_FALSE(Monitor::access(s, 0, 0, kWrite, kOpen));
}

// T1: r(x) · T2: w(x) r(z) · T3: w(z) · T2 ends · T1: w(x): the completed T2 closes the cycle.
TEST(Monitor, CompletedTransactionsStay) {
  State s = threads(3);
  EXPECT_FALSE(Monitor::access(s, 0, 0, kRead, kOpen));
  EXPECT_FALSE(Monitor::access(s, 1, 0, kWrite, kOpen));
  EXPECT_FALSE(Monitor::access(s, 1, 1, kRead, kOpen));
  EXPECT_FALSE(Monitor::access(s, 2, 1, kWrite, kOpen));
  Monitor::end(s, 1);
  EXPECT_TRUE(Monitor::access(s, 0, 0, kWrite, kOpen));
}

// T2: r(z) · T3: w(z) · T1: w(x) · T2: r(x) · T1: r(z). T1 reaches T3 by way of T2, which reached
// T3 before T1 reached T2.
TEST(Monitor, WhatWasReachedIsHandedOn) {
  for (const auto last : {kRead, kWrite}) {
    State s = threads(3);
    EXPECT_FALSE(Monitor::access(s, 1, 1, kRead, kOpen));
    EXPECT_FALSE(Monitor::access(s, 2, 1, kWrite, kUnary));
    EXPECT_FALSE(Monitor::access(s, 0, 0, kWrite, kOpen));
    EXPECT_FALSE(Monitor::access(s, 1, 0, kRead, kOpen));
    EXPECT_TRUE(Monitor::access(s, 0, 1, last, kOpen));
  }
}

// A thread that was reached stays so: its later transactions come after, too.
TEST(Monitor, ProgramOrderCounts) {
  State s = threads(2);
  EXPECT_FALSE(Monitor::access(s, 0, 0, kWrite, kOpen));
  EXPECT_FALSE(Monitor::access(s, 1, 0, kRead, kUnary));
  EXPECT_FALSE(Monitor::access(s, 1, 1, kWrite, kUnary));
  EXPECT_TRUE(Monitor::access(s, 0, 1, kRead, kOpen));
}

TEST(Monitor, ForkAndJoinOrderThreads) {
  State s = threads(2);
  Monitor::fork(s, 0, 1, kOpen);
  State idle = s;
  EXPECT_FALSE(Monitor::join(idle, 0, 1, kOpen));
  EXPECT_TRUE(Monitor::event(s, 1, 0));
  EXPECT_FALSE(Monitor::access(s, 1, 0, kWrite, kUnary));
  State copy = s;
  EXPECT_TRUE(Monitor::access(s, 0, 0, kRead, kOpen));
  EXPECT_TRUE(Monitor::join(copy, 0, 1, kOpen));
  s = threads(3);
  EXPECT_FALSE(Monitor::access(s, 0, 0, kRead, kOpen));
  EXPECT_FALSE(Monitor::access(s, 1, 0, kWrite, kUnary));
  EXPECT_FALSE(Monitor::join(s, 2, 1, kUnary));
  EXPECT_FALSE(Monitor::access(s, 2, 1, kWrite, kUnary));
  EXPECT_TRUE(Monitor::access(s, 0, 1, kRead, kOpen));
}

}  // namespace
}  // namespace omnium::test
