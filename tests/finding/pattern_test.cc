// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Every pattern of docs/formats/patterns.md, drawn.
#include <gtest/gtest.h>

#include "engines/checker.h"
#include "finding/explanation.h"
#include "finding/function_class.h"
#include "finding/object_class.h"
#include "support/place.h"
#include "tests/support/figure.h"

namespace omnium::test {
namespace {

struct Case {
  const char* pattern;
  const char* drawing;
};

struct Looked {
  CheckOutcome outcome;
  Explanation explanation;
};

Looked look(const Trace& trace) {
  MemorySource source(trace);
  CheckOptions options;
  options.mode = kAsPublished;
  auto outcome = check_trace(source, *find_engine("reach"), options);
  EXPECT_TRUE(outcome.has_value());
  Explanation found = explain(source, outcome->violations, outcome->cycle, {});
  return {std::move(*outcome), std::move(found)};
}

class Patterns : public testing::TestWithParam<Case> {};

TEST_P(Patterns, AreNamed) {
  const Trace trace = figure(GetParam().drawing);
  const Looked looked = look(trace);
  ASSERT_FALSE(looked.explanation.causes.empty());
  EXPECT_EQ(to_string(looked.explanation.causes[0].pattern), GetParam().pattern);
}

INSTANTIATE_TEST_SUITE_P(OneVariable, Patterns,
                         testing::Values(Case{"lost update", R"(
      T1: begin(a)  r(x)        w(x)  end
      T2:                 w(x)            )"},
                                         Case{"unrepeatable read", R"(
      T1: begin(a)  r(x)        r(x)  end
      T2:                 w(x)            )"},
                                         Case{"dirty read", R"(
      T1: begin(a)  w(x)        w(x)  end
      T2:                 r(x)            )"},
                                         Case{"overwritten write", R"(
      T1: begin(a)  w(x)        r(x)  end
      T2:                 w(x)            )"},
                                         Case{"dirty write", R"(
      T1: begin(a)  w(x)        w(x)  end
      T2:                 w(x)            )"}));

INSTANTIATE_TEST_SUITE_P(TwoVariables, Patterns,
                         testing::Values(Case{"read skew", R"(
      T1: begin(a)  r(x)                                r(y)  end
      T2:                 begin(b)  w(x)  w(y)  end               )"},
                                         Case{"write skew", R"(
      T1: begin(a)  r(x)                                w(y)  end
      T2:                 begin(b)  w(x)  r(y)  end               )"},
                                         Case{"stale check", R"(
      T1: begin(a)  r(x)                                w(y)  end
      T2:                 begin(b)  w(x)  w(y)  end               )"},
                                         Case{"torn update", R"(
      T1: begin(a)  w(x)                                w(y)  end
      T2:                 begin(b)  r(x)  r(y)  end               )"},
                                         Case{"broken hand-over", R"(
      T1: begin(a)  w(x)                                r(y)  end
      T2:                 begin(b)  r(x)  w(y)  end               )"},
                                         Case{"cycle of 2 transactions", R"(
      T1: begin(a)  w(x)                                r(y)  end
      T2:                 begin(b)  w(x)  w(y)  end               )"}));

INSTANTIATE_TEST_SUITE_P(NoVariables, Patterns,
                         testing::Values(Case{"split critical section", R"(
      T1: begin(a)  acq(m)  rel(m)                  acq(m)  rel(m)  end
      T2:                           acq(m)  rel(m)                      )"},
                                         Case{"fork and join", R"(
      T1: begin(a)  fork(T2)        join(T2)  end
      T2:                     w(x)                )"},
                                         Case{"cycle of 3 transactions", R"(
      T1: begin(a) w(x)                                                       r(z) end
      T2:               begin(b) r(x) w(y) end
      T3:                                      begin(c) r(y) w(z) end                  )"}));

// The lock closes the cycle first; what a person wants to hear about is the variable.
TEST(Explanation, LooksThroughLocks) {
  const Trace trace = figure(R"(
      T1: begin(a) acq(m) r(x) rel(m)                         acq(m) w(x) rel(m) end
      T2:                             acq(m) r(x) w(x) rel(m)                        )");
  const Looked looked = look(trace);
  ASSERT_EQ(looked.outcome.violations.size(), 1u);
  EXPECT_EQ(looked.outcome.violations[0].closing.kind, DependencyKind::kReleaseAcquire);
  ASSERT_EQ(looked.explanation.causes.size(), 1u);
  const Cause& cause = looked.explanation.causes[0];
  EXPECT_EQ(to_string(cause.pattern), "lost update");
  ASSERT_TRUE(cause.picture.held.has_value());
  EXPECT_EQ(trace.names.locks.name(cause.picture.held->v), "m");
  EXPECT_EQ(cause.picture.opens, 3u);
  EXPECT_EQ(cause.picture.closes, 9u);
}

TEST(Explanation, LooksThroughTheLocksOfLongerCycles) {
  const std::string a = "begin(a) acq(m) w(x) rel(m) ";
  const std::string b = "begin(b) acq(m) r(x) rel(m) acq(n) w(y) rel(n) end ";
  const std::string c = "begin(c) acq(n) r(y) rel(n) acq(o) w(z) rel(o) end ";
  const auto later = [](std::size_t columns) { return std::string(columns, ' '); };
  const Trace trace = figure("T1: " + a + later(b.size() + c.size()) +
                             "acq(o) r(z) rel(o) end\nT2: " + later(a.size()) + b +
                             "\nT3: " + later(a.size() + b.size()) + c);
  const Looked looked = look(trace);
  ASSERT_EQ(looked.explanation.causes.size(), 1u);
  EXPECT_EQ(to_string(looked.explanation.causes[0].pattern), "cycle of 3 transactions");
  const auto& steps = looked.explanation.causes[0].picture.steps;
  ASSERT_EQ(steps.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(steps[i].dependency.kind, DependencyKind::kWriteRead);
    EXPECT_EQ(trace.names.variables.name(steps[i].dependency.object), std::string(1, "xyz"[i]));
  }
}

// b ends before the write, so the write says nothing about b: only the lock does.
TEST(Explanation, StaysInsideTheRefutedBlock) {
  const Trace trace = figure(R"(
      T1: begin(a) begin(b) acq(m) r(x) rel(m)                    acq(m) rel(m) end w(x) end
      T2:                                      acq(m) w(x) rel(m)                            )");
  const Looked looked = look(trace);
  ASSERT_EQ(looked.explanation.causes.size(), 1u);
  EXPECT_EQ(to_string(looked.explanation.causes[0].pattern), "split critical section");
}

TEST(Explanation, OneUnlockedAccessIsNotProtected) {
  const Trace trace = figure(R"(
      T1: begin(a) acq(m) r(x) rel(m)      acq(m) w(x) rel(m) end
      T2:                             w(x)                        )");
  const Looked looked = look(trace);
  ASSERT_EQ(looked.explanation.causes.size(), 1u);
  EXPECT_FALSE(looked.explanation.causes[0].picture.held.has_value());
}

TEST(Causes, TheSameBugIsToldOnceAndHasTheSameIdInAnotherTrace) {
  const Trace twice = figure(R"(
      T1: begin(a) r(x)      w(x) end begin(a) r(x)      w(x) end
      T2:               w(x)                        w(x)          )");
  const Trace renamed = figure(R"(
      A: r(z) begin(a) r(x)      w(x) end
      B:                    w(x)          )");
  const Looked first = look(twice);
  const Looked second = look(renamed);
  ASSERT_EQ(first.explanation.causes.size(), 1u);
  EXPECT_EQ(first.explanation.causes[0].count, 2u);
  ASSERT_EQ(second.explanation.causes.size(), 1u);
  EXPECT_EQ(first.explanation.causes[0].id, second.explanation.causes[0].id);
  EXPECT_TRUE(first.explanation.causes[0].id.starts_with("av-"));
}

// Who came between, how long the cycle is and what opened the window is told inside.
TEST(Causes, OfOneBlockAndOneClosingAccessAreOne) {
  const Trace longer = figure(R"(
      T1: begin(a) r(x)                                        r(y) end begin(a) r(y) r(y) end
      T2:            begin(b) w(x) w(z) end                                        w(y)
      T3:                                 begin(d) r(z) w(y) end
      )");
  const Looked looked = look(longer);
  ASSERT_EQ(looked.explanation.causes.size(), 1u);
  const Cause& cause = looked.explanation.causes[0];
  EXPECT_EQ(cause.count, 2u);
  EXPECT_EQ(to_string(cause.pattern), "unrepeatable read");
  EXPECT_EQ(cause.picture.steps.size(), 2u);
  EXPECT_EQ(cause.violation, 1u);
  ASSERT_EQ(cause.variants.size(), 2u);
  EXPECT_EQ(to_string(cause.variants[0].pattern), "cycle of 3 transactions");
  EXPECT_EQ(cause.variants[0].partners.size(), 2u);
  EXPECT_EQ(cause.variants[1].partners.size(), 1u);
}

std::string id_of(const std::string& object, const std::string& block, const std::string& place) {
  Trace trace = figure(R"(
      T1: begin(a) r(x)      w(x) end
      T2:               w(x)          )");
  trace.names.variables = {};
  trace.names.variables.append(object);
  trace.names.labels = {};
  trace.names.labels.append(block);
  trace.names.labels.append("");
  for (Event& event : trace.events) event.loc_id = trace.names.locations.intern(place);
  return look(trace).explanation.causes.at(0).id;
}

// What the names of a cause are must not be lost where they are put together.
TEST(Causes, HaveDifferentIdsWhereverTheirNamesEnd) {
  EXPECT_NE(id_of("z", "x:y", ""), id_of("y:z", "x", ""));
  EXPECT_NE(id_of("z", "xy", ""), id_of("yz", "x", ""));
  EXPECT_NE(id_of("x", "a", "bank.cc:3 in get"), id_of("x", "a", "bank.cc:3 in set"));
}

TEST(Causes, HaveTheSameIdWhenLinesMove) {
  const auto id = [](const std::string& place) {
    return id_of("offset 8 of a 16-byte allocation at " + place, "a", place + " in add");
  };
  EXPECT_EQ(id("bank.cc:31"), id("bank.cc:44"));
  EXPECT_NE(id("bank.cc:31"), id("desk.cc:31"));
}

// What library code does with its own objects is a matter of who called it.
TEST(Causes, InALibraryAreThoseOfItsCaller) {
  EXPECT_EQ(id_of("node", "a", "bank.cc:3 in add via a library"),
            id_of("size", "a", "bank.cc:9 in add via a library"));
  EXPECT_NE(id_of("node", "a", "bank.cc:3 in add via a library"),
            id_of("node", "a", "bank.cc:3 in put via a library"));
  EXPECT_NE(id_of("node", "a", "bank.cc:3 in add"), id_of("size", "a", "bank.cc:9 in add"));
}

TEST(Causes, KnowClassesOfObjects) {
  EXPECT_EQ(object_class("hist[41]"), "hist[]");
  EXPECT_EQ(object_class("grid[4][11].count"), "grid[][].count");
  EXPECT_EQ(object_class("Account::balance #2"), "Account::balance");
  EXPECT_EQ(object_class("Cache<int, std::less<int> >::hits"), "Cache::hits");
  EXPECT_EQ(object_class("print_desk+40"), "print_desk");
  EXPECT_EQ(object_class("offset 1045092 of a 1048576-byte allocation at slabs.c:615"),
            object_class("offset 996964 of a 2097152-byte allocation at slabs.c:620"));
  EXPECT_EQ(object_class("Order[3].items[12].count #17"), "Order[].items[].count");
  EXPECT_EQ(object_class("int[7] allocated at src/bank.cpp:31 #2"),
            "int[] allocated at src/bank.cpp:");
  EXPECT_EQ(object_class("counter in main"), "counter in main");
  EXPECT_EQ(object_class("Key::operator<(x)"), "Key::operator<(x)");
  EXPECT_EQ(object_class("a < b"), "a < b");
  EXPECT_EQ(object_class("broken<int"), "broken<int");
  EXPECT_EQ(object_class("[x] [] # #x :: :x"), "[x] [] # #x :: :x");
  EXPECT_EQ(object_class("0x7ffc27f1da18"), "");
  EXPECT_EQ(object_class("unnamed object #3"), "");
  EXPECT_EQ(object_class("v[i]"), "v[i]");
  EXPECT_EQ(object_class("C# #"), "C# #");
}

TEST(Causes, KnowClassesOfFunctions) {
  EXPECT_EQ(function_class("main::{lambda(int, char)#2}::operator()"), "main::{lambda}");
  EXPECT_EQ(function_class("main::$_1::operator()"), "main::{lambda}");
  EXPECT_EQ(function_class("(anonymous namespace)::Cache<int>::get"), "Cache::get");
  EXPECT_EQ(function_class("operator<< <char>"), "operator<< ");
  EXPECT_EQ(function_class("Money::operator<"), "Money::operator<");
  EXPECT_EQ(function_class("Money::operator->"), "Money::operator->");
  EXPECT_EQ(function_class("a > b"), "a > b");
}

TEST(Places, HaveParts) {
  using support::place_of;
  EXPECT_EQ(place_of("bank.cpp:44 in Account::deposit").position, "bank.cpp:44");
  EXPECT_EQ(place_of("bank.cpp:44 in Account::deposit").function, "Account::deposit");
  EXPECT_FALSE(place_of("bank.cpp:44 in Account::deposit").in_library);
  EXPECT_TRUE(place_of("bank.cpp:44 in Account::deposit via a library").in_library);
  EXPECT_EQ(place_of("bank.cpp:44 in Account::deposit via a library").function, "Account::deposit");
  EXPECT_EQ(place_of("money in bank.cpp:44").position, "money in bank.cpp:44");
  EXPECT_EQ(place_of("money in bank.cpp:44 in lambda in main").position, "money in bank.cpp:44");
  EXPECT_EQ(place_of("17").position, "17");
}

}  // namespace
}  // namespace omnium::test
