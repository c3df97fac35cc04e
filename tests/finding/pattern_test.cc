// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Every pattern of docs/formats/patterns.md, drawn.
#include <gtest/gtest.h>

#include "engines/checker.h"
#include "finding/explanation.h"
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

// What the names of a cause are must not be lost where they are put together.
TEST(Causes, HaveDifferentIdsWhereverTheirNamesEnd) {
  const auto id = [](const std::string& first, const std::string& block) {
    Trace trace = figure(R"(
        T1: begin(a) r(x)                         r(y) end
        T2:               begin(b) w(x) w(y) end           )");
    trace.names.variables = {};
    trace.names.variables.append(first);
    trace.names.variables.append("last");
    trace.names.labels = {};
    trace.names.labels.append("a");
    trace.names.labels.append(block);
    trace.names.labels.append("");
    return look(trace).explanation.causes.at(0).id;
  };
  EXPECT_NE(id("x:y", "z"), id("x", "y:z"));
  EXPECT_NE(id("xy", "z"), id("x", "yz"));
}

TEST(Causes, HaveTheSameIdWhenLinesMove) {
  const auto id = [](const std::string& place) {
    Trace trace = figure(R"(
        T1: begin(a) r(x)      w(x) end
        T2:               w(x)          )");
    trace.names.variables = {};
    trace.names.variables.append("offset 8 of a 16-byte allocation at " + place);
    return look(trace).explanation.causes.at(0).id;
  };
  EXPECT_EQ(id("bank.cc:31"), id("bank.cc:44"));
  EXPECT_EQ(id("bank.cc:31 #2"), id("bank.cc:44 #2"));
  EXPECT_NE(id("bank.cc:31"), id("bank.cc:31 #2"));
  EXPECT_NE(id("bank.cc:31"), id("desk.cc:31"));
}

}  // namespace
}  // namespace omnium::test
