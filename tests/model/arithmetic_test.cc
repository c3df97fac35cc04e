// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What expressions of models mean: C's arithmetic, with faults in place of undefined behaviour.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/compile.h"
#include "model/explorer.h"
#include "model/parser.h"

namespace omnium::test {
namespace {

// Does the assertion hold, with 7 and -7 in the variables?
bool holds(std::string_view expression) {
  const std::string text = fmt::format(
      "thread t {{ local int[-9..9] seven = 7; local int[-9..9] minus = -7; assert({}); }}",
      expression);
  const auto program = model::parse(text, "m.omp");
  EXPECT_TRUE(program) << program.error().to_string();
  const auto compiled = compile(*program);
  EXPECT_TRUE(compiled) << compiled.error().to_string();
  const auto outcome = explore(*compiled, {});
  EXPECT_TRUE(outcome);
  return outcome->answer == model::Answer::kSerializable;
}

TEST(Arithmetic, AssertionsAreChecked) {
  EXPECT_TRUE(holds("seven + minus == 0"));
  EXPECT_FALSE(holds("seven + minus == 1"));
}

TEST(Arithmetic, DivisionRoundsTowardsZero) {
  for (const std::string_view expression :
       {"seven / 2 == 3", "minus / 2 == -3", "seven / -2 == -3", "minus / -2 == 3",
        "seven % 2 == 1", "minus % 2 == -1", "seven % -2 == 1", "minus % -2 == -1"}) {
    EXPECT_TRUE(holds(expression)) << expression;
  }
}

// Division by -1 has a way of its own, since the smallest number has no negative.
TEST(Arithmetic, DivisionByMinusOne) {
  for (const std::string_view expression :
       {"seven / -1 == -7", "minus / -1 == 7", "seven % -1 == 0", "minus % -1 == 0"}) {
    EXPECT_TRUE(holds(expression)) << expression;
  }
}

TEST(Arithmetic, SignsAndOrders) {
  for (const std::string_view expression :
       {"-seven == minus", "-minus == seven", "seven - minus * 2 == 21", "minus < seven",
        "!(seven <= minus)", "seven >= 7 && minus <= -7", "seven > 7 || minus != 7"}) {
    EXPECT_TRUE(holds(expression)) << expression;
  }
}

}  // namespace
}  // namespace omnium::test
