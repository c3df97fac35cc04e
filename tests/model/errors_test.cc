// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Wrong models of every kind: each says where and what.
#include <string>

#include <gtest/gtest.h>

#include "model/compile.h"
#include "model/explorer.h"
#include "model/parser.h"

namespace omnium::test {
namespace {

// The message for a model that is wrong as text or as a program.
std::string message_for(const std::string& text) {
  const auto program = model::parse(text, "m.omp");
  if (!program) return program.error().to_string();
  const auto compiled = compile(*program);
  return compiled ? "no error" : compiled.error().to_string();
}

struct Case {
  const char* text;
  const char* message;  // after "m.omp:"
};

constexpr Case kWrongText[] = {
    {"", "1:1: error: the program has no thread"},
    {"shared bool x;", "1:15: error: the program has no thread"},
    {"x",
     "1:1: error: expected 'shared', 'lock', 'thread', 'ghost', 'channel' or 'procedure', got 'x'"},
    {"shared x;", "1:8: error: expected 'bool' or 'int[LOW..HIGH]', got 'x'"},
    {"shared int x;", "1:12: error: expected '[', got 'x'"},
    {"shared int[3..1] x;", "1:8: error: the range 3..1 is empty"},
    {"shared int[0..70000] x;", "1:8: error: a range can have at most 65536 values"},
    {"shared int[0..9999999999] x;", "1:15: error: a number can be at most 1000000000"},
    {"shared int[0..3] x = 4;", "1:22: error: the first value must be 0 to 3, got 4"},
    {"shared bool x = 1;", "1:17: error: expected 'true', 'false' or '*', got '1'"},
    {"shared bool x[0];", "1:15: error: an array's size must be 1 to 4096, got 0"},
    {"shared bool if;", "1:13: error: expected a variable's name, got 'if'"},
    {"shared bool x", "1:14: error: expected ';'"},
    {"lock m", "1:7: error: expected ';'"},
    {"lock 3;", "1:6: error: expected a lock's name, got '3'"},
    {"thread t[99] {}", "1:10: error: the number of copies must be 1 to 32, got 99"},
    {"thread t {", "1:11: error: expected '}', got the end"},
    {"thread t { skip }", "1:16: error: expected ';'"},
    {"thread t { or; }", "1:12: error: expected a statement, got 'or'"},
    {"thread t { loop x {} }", "1:17: error: expected how often to loop, got 'x'"},
    {"thread t { if true {} }", "1:15: error: expected '(', got 'true'"},
    {"thread t { while () {} }", "1:19: error: expected an expression, got ')'"},
    {"thread t { assume(true; }", "1:23: error: expected ')', got ';'"},
    {"thread t { atomic 3 {} }", "1:19: error: expected a label or '{', got '3'"},
    {"thread t { skip; local bool l; }",
     "1:18: error: locals are declared at the beginning of a thread"},
    {"thread t { skip; }\n  $", "2:3: error: unexpected '$'"},
    {"thread t { skip; }\n\"abc", "2:1: error: unterminated quoted name"},
    {"thread t { skip; } # é\n é", "2:2: error: unexpected 'é'"},
};

constexpr Case kWrongPrograms[] = {
    {"channel c; channel c; thread t {}", "1:20: error: 'c' is declared twice"},
    {"thread t { signal c; }", "1:19: error: unknown channel 'c'"},
    {"thread t { busy m; }", "1:17: error: unknown lock 'm'"},
    {"thread t { local bool l; load l; }", "1:31: error: 'l' is not a shared variable"},
    {"ghost bool g; thread t { store g = true; }", "1:32: error: 'g' is not a shared variable"},
    {"shared bool x; shared bool y; thread t { update x = y; }",
     "1:53: error: an update can read no variable but the one that it updates"},
    {"shared bool x; shared int[0..1] x; thread t {}", "1:33: error: 'x' is declared twice"},
    {"shared bool x; thread t { local bool x; }", "1:38: error: 'x' is declared twice"},
    {"lock m; lock m; thread t {}", "1:14: error: 'm' is declared twice"},
    {"thread t {} thread t {}", "1:20: error: 't' is declared twice"},
    {"thread t { y = true; }", "1:12: error: unknown variable 'y'"},
    {"thread t { acquire m; }", "1:20: error: unknown lock 'm'"},
    {"thread t { fork u; }", "1:17: error: unknown thread 'u'"},
    {"thread t { join t; }", "1:17: error: a thread cannot fork or join itself"},
    {"thread u[2] {} thread t { fork u[2]; }", "1:32: error: 'u' has no copy 2"},
    {"thread u[2] {} thread t { local int[0..1] i; fork u[i]; }",
     "1:51: error: the index of a thread must be a constant"},
    {"shared bool x; thread t { x = 1; }", "1:31: error: 'x' is a bool, but this is an int"},
    {"shared int[0..1] x; thread t { x = true; }",
     "1:36: error: 'x' is an int, but this is a bool"},
    {"shared bool a[2]; thread t { a = true; }", "1:30: error: 'a' is an array and needs an index"},
    {"shared bool x; thread t { x[0] = true; }",
     "1:27: error: 'x' is not an array and cannot be indexed"},
    {"shared bool a[2]; thread t { a[true] = true; }",
     "1:32: error: an index must be an int, not a bool"},
    {"thread t { if (1) {} }", "1:16: error: a condition must be a bool, not an int"},
    {"thread t { assert(!1); }", "1:19: error: this operator needs bools"},
    {"thread t { assert(true < false); }", "1:24: error: this operator needs ints"},
    {"thread t { assert(true == 1); }", "1:24: error: a bool and an int cannot be compared"},
    {"thread t { assert(true + 1 == 1); }", "1:24: error: this operator needs ints"},
    {"thread a[20] {} thread b[20] {}", "1:24: error: a model can have at most 32 threads"},
};

TEST(Errors, OfTheTextHaveAPlace) {
  for (const Case& each : kWrongText) {
    EXPECT_EQ(message_for(each.text), std::string("m.omp:") + each.message) << each.text;
  }
}

TEST(Errors, OfTheProgramHaveAPlace) {
  for (const Case& each : kWrongPrograms) {
    EXPECT_EQ(message_for(each.text), std::string("m.omp:") + each.message) << each.text;
  }
}

TEST(Errors, NestingIsLimited) {
  std::string deep = "thread t { assert(";
  for (int i = 0; i < 100'000; ++i) deep += "(";
  EXPECT_NE(message_for(deep).find("nested too deeply"), std::string::npos);
  deep = "thread t { ";
  for (int i = 0; i < 100'000; ++i) deep += "atomic { ";
  EXPECT_NE(message_for(deep).find("nested too deeply"), std::string::npos);
  deep = "thread t { ";
  for (int i = 0; i < 100'000; ++i) deep += "if (true) {} else ";
  EXPECT_NE(message_for(deep).find("nested too deeply"), std::string::npos);
  deep = "thread t { assert(true";
  for (int i = 0; i < 100'000; ++i) deep += " && true";
  EXPECT_NE(message_for(deep).find("too long"), std::string::npos);
}

constexpr Case kFaults[] = {
    {"shared int[0..3] n = 3; thread t { n = n + 1; }", "1:36: 4 is outside the range 0..3"},
    {"thread t { local int[1..2] n = 1; n = n - 1; }", "1:35: 0 is outside the range 1..2"},
    {"shared bool a[2]; shared int[0..3] i = 2; thread t { a[i] = true; }",
     "1:54: index 2 is out of bounds (0 to 1)"},
    {"shared bool x; thread t { assert(x); }", "1:27: assertion failed"},
    {"thread t { local int[0..3] n; n = 1 / n; }", "1:37: division by zero"},
    {"thread t { local int[0..3] n; n = 1 % n; }", "1:37: division by zero"},
    {"lock m; thread t { acquire m; acquire m; }",
     "1:31: the thread acquires a lock that it already holds"},
    {"lock m; thread t { release m; }", "1:20: the thread releases a lock that it does not hold"},
    {"lock m; thread t { acquire shared m; acquire m; }",
     "1:38: the thread acquires a lock that it already holds"},
    {"lock m; thread t { acquire m; release shared m; }",
     "1:31: the thread releases a lock that it does not hold"},
    {"thread u {} thread t { fork u; fork u; }", "1:32: the thread was already forked"},
    {"thread t { while (true) { skip; } }", "1:19: the thread loops forever without an event"},
};

TEST(Errors, OfARunHaveAPlace) {
  for (const Case& each : kFaults) {
    const auto compiled = compile(*model::parse(each.text, "m.omp"));
    ASSERT_TRUE(compiled) << each.text;
    const auto outcome = explore(*compiled, {});
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->answer, model::Answer::kBadModel) << each.text;
    const model::Fault& fault = outcome->fault;
    EXPECT_EQ(std::to_string(fault.at.line) + ":" + std::to_string(fault.at.column) + ": " +
                  fault.message(),
              each.message)
        << each.text;
  }
}

TEST(Errors, TooManyObjectsToExplore) {
  const auto compiled = compile(*model::parse(
      "shared bool a[65]; thread t[2] { local int[0..64] i; a[i] = true; }", "m.omp"));
  ASSERT_TRUE(compiled);
  const auto outcome = explore(*compiled, {});
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.error().message.find("more than 64"), std::string::npos);
}

}  // namespace
}  // namespace omnium::test
