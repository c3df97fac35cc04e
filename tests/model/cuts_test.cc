// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Where blocks are cut in the runs of a model, with --waits split.
#include <gtest/gtest.h>

#include "model/compile.h"
#include "model/explorer.h"
#include "model/parser.h"

namespace omnium::test {
namespace {

// With and without reduction, which give the same answer.
bool serializable(const std::string& text, Waits waits = Waits::kSplit) {
  const auto program = model::parse(text, "m.omp");
  EXPECT_TRUE(program) << program.error().to_string();
  const auto compiled = compile(*program);
  EXPECT_TRUE(compiled) << compiled.error().to_string();
  model::Options options;
  options.mode.waits = waits;
  const auto outcome = explore(*compiled, options);
  options.reduction = false;
  const auto all = explore(*compiled, options);
  EXPECT_TRUE(outcome && all);
  EXPECT_EQ(outcome->answer, all->answer) << text;
  EXPECT_EQ(outcome->run.size(), all->run.size()) << text;
  return outcome->answer == model::Answer::kSerializable;
}

TEST(Cuts, AFailedAttemptThatNobodyNoticed) {
  const std::string other =
      "shared bool x; shared bool y; thread u { store y = true; store x = true; }";
  EXPECT_TRUE(serializable(other + "thread t { atomic a { load x; retry x; } }"));
  EXPECT_FALSE(serializable(other + "thread t { atomic a { load x; retry x; } }", Waits::kKeep));
  // The loads of both variables were noticed, the one of x last.
  EXPECT_FALSE(serializable(other + "thread t { atomic a { load x; load y; retry x; } }"));
  EXPECT_FALSE(serializable(other + "thread t { local bool l; atomic a { l = x; retry x; } }"));
}

// The child's begin alone tells that somebody noticed the fork: it has to come before the attempt,
// and the rest of the child can only come after it.
TEST(Cuts, AForkIsNoticedByWhateverItsThreadDoesFirst) {
  const std::string child =
      "shared bool x; shared bool z; lock m;"
      "thread u { atomic b { acquire m; z = true; release m; } }";
  EXPECT_FALSE(serializable(child + "thread t { local bool l; acquire m;"
                                    "  atomic a { fork u; retry x; release m; l = z; } }"));
  // Here the child begins after the attempt in every run.
  EXPECT_TRUE(serializable(child + "thread t { local bool l; acquire m;"
                                   "  atomic a { retry x; release m; } l = z; fork u; }"));
}

TEST(Cuts, WaitingForASignal) {
  const std::string other =
      "shared bool x; channel c; ghost bool given;"
      "thread u { x = true; signal c; given = true; }";
  const std::string block =
      "thread t { atomic a { x = false; assume(given); await c; x = false; } }";
  EXPECT_TRUE(
      serializable("shared bool x; channel c; ghost bool given;"
                   "thread u { signal c; given = true; }" +
                   block));
  EXPECT_TRUE(serializable(other + block));
  EXPECT_FALSE(serializable(other + block, Waits::kKeep));
  // What was signalled before the block began was not waited for.
  EXPECT_FALSE(
      serializable("shared bool x; channel c; ghost bool given;"
                   "thread u { signal c; given = true; x = true; }"
                   "thread t { assume(given); atomic a { x = false; await c; x = false; } }"));
}

TEST(Cuts, WaitingForACondition) {
  const std::string block =
      "shared bool x; lock m; thread t[2] { local bool l; acquire m;"
      "  atomic a { l = x; wait m; resume m; x = true; } release m; }";
  EXPECT_TRUE(serializable(block));
  EXPECT_FALSE(serializable(block, Waits::kKeep));
}

// A thread that halted, or that waits for what is not in the model, is no deadlock.
TEST(Cuts, WhatIsNotInTheModelIsNoDeadlock) {
  for (const char* end : {"halt;", "assume(g);", "busy n;"}) {
    const std::string text = std::string("ghost bool g; lock m; lock n; thread t { acquire m; ") +
                             end + " } thread u { acquire m; release m; }";
    const auto compiled = compile(*model::parse(text, "m.omp"));
    ASSERT_TRUE(compiled) << text;
    EXPECT_FALSE(explore(*compiled, {})->deadlock) << text;
  }
  const auto compiled = compile(
      *model::parse("lock m; thread t { acquire m; } thread u { acquire m; release m; }", "m.omp"));
  EXPECT_TRUE(explore(*compiled, {})->deadlock);
}

}  // namespace
}  // namespace omnium::test
