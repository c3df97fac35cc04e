// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What a thread does between its fork and its join comes between what others do around them.
#include <gtest/gtest.h>

#include "model/compile.h"
#include "model/explorer.h"
#include "model/parser.h"

namespace omnium::test {
namespace {

using model::Answer;

Answer answer(const char* text, Waits waits = Waits::kKeep) {
  const auto program = model::parse(text, "m.omp");
  EXPECT_TRUE(program) << program.error().to_string();
  const auto compiled = compile(*program);
  EXPECT_TRUE(compiled) << compiled.error().to_string();
  model::Options options;
  options.mode.waits = waits;
  const auto outcome = explore(*compiled, options);
  EXPECT_TRUE(outcome);
  return outcome->answer;
}

// Nobody comes between a fork and a join of a thread without events, unless another block does.
TEST(ForkJoin, AChildThatDoesNothingInterruptsNobody) {
  EXPECT_EQ(answer("thread w { } thread t { atomic a { fork w; join w; } }"),
            Answer::kSerializable);
  EXPECT_EQ(answer("shared bool x; thread w { } thread u { atomic b { assume(x); fork w; } }"
                   "thread t { atomic a { x = true; join w; } }"),
            Answer::kNotSerializable);
}

// Whether the child does anything is only known when it is joined.
TEST(ForkJoin, AChildThatMayDoNothing) {
  EXPECT_EQ(answer("thread w { if (false) { atomic b { skip; } } }"
                   "thread t { atomic a { fork w; join w; } }"),
            Answer::kSerializable);
  EXPECT_EQ(answer("shared bool x; thread w { if (false) { x = true; } }"
                   "thread t { atomic a { fork w; join w; } } thread u { x = true; }"),
            Answer::kSerializable);
  EXPECT_EQ(answer("thread w { choose { skip; } or { atomic b { skip; } } }"
                   "thread t { atomic a { fork w; join w; } }"),
            Answer::kNotSerializable);
}

// With --waits split the block gives way while it waits for its child.
TEST(ForkJoin, ABlockIsCutWhereItWaitsForAChild) {
  EXPECT_EQ(answer("shared bool x; thread w { x = true; }"
                   "thread t { atomic a { fork w; join w; } }",
                   Waits::kSplit),
            Answer::kSerializable);
  EXPECT_EQ(answer("shared bool x; thread w { x = true; }"
                   "thread t { atomic a { fork w; x = false; join w; } }",
                   Waits::kSplit),
            Answer::kNotSerializable);
}

// The child has ended by the time of the join, and is still the way from the block to itself.
TEST(ForkJoin, ABlockThatForksAndJoinsIsNotAtomic) {
  EXPECT_EQ(answer("shared bool x; thread w { x = true; }"
                   "thread t { atomic a { fork w; join w; } }"),
            Answer::kNotSerializable);
}

TEST(ForkJoin, EitherAloneIsAtomic) {
  EXPECT_EQ(answer("shared bool x; thread w { x = true; }"
                   "thread t { atomic a { fork w; } join w; }"),
            Answer::kSerializable);
  EXPECT_EQ(answer("shared bool x; thread w { x = true; }"
                   "thread t { fork w; atomic a { join w; } }"),
            Answer::kSerializable);
}

}  // namespace
}  // namespace omnium::test
