// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which of the functions that are not atomic follow from others.
#include "finding/callers.h"

#include <gtest/gtest.h>

namespace omnium {
namespace {

using Indices = std::vector<std::size_t>;

NotAtomic function(std::string name, std::set<std::string> callers) {
  NotAtomic out;
  out.function = std::move(name);
  out.callers = std::move(callers);
  return out;
}

NotAtomic harmless(std::string name, std::set<std::string> callers) {
  NotAtomic out = function(std::move(name), std::move(callers));
  out.harmless = true;
  return out;
}

// The order in which they were seen does not matter.
TEST(Follow, OuterFunctionsFollowFromTheInnermost) {
  const NotAtomic serve = function("serve", {"main"}), order = function("order", {"serve"}),
                  refund = function("refund", {"order", "serve"});
  EXPECT_EQ(follow(std::vector{serve, order, refund}), (Indices{2, 2, 2}));
  EXPECT_EQ(follow(std::vector{refund, serve, order}), (Indices{0, 0, 0}));
  EXPECT_EQ(follow(std::vector{serve, refund, function("quote", {})}), (Indices{1, 1, 2}));
}

TEST(Follow, ACallThatWasSeenInTwoSteps) {
  EXPECT_EQ(follow(std::vector{function("serve", {}), function("order", {"serve"}),
                               function("refund", {"order"})}),
            (Indices{2, 2, 2}));
}

TEST(Follow, WhatStandsAloneFollowsFromNothing) {
  NotAtomic order = function("order", {"serve"});
  order.stands_alone = true;
  EXPECT_EQ(follow(std::vector{function("serve", {}), order, function("refund", {"order"})}),
            (Indices{1, 1, 2}));
}

TEST(Follow, FunctionsThatCallEachOther) {
  EXPECT_EQ(follow(std::vector{function("even", {"odd"}), function("odd", {"even", "odd"})}),
            (Indices{0, 1}));
}

TEST(Follow, ABugDoesNotFollowFromWhatIsHarmless) {
  EXPECT_EQ(follow(std::vector{function("serve", {}), harmless("log", {"serve"})}),
            (Indices{0, 1}));
  EXPECT_EQ(follow(std::vector{harmless("serve", {}), harmless("log", {"serve"})}),
            (Indices{1, 1}));
}

}  // namespace
}  // namespace omnium
