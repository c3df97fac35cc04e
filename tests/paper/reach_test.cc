// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/figure.h"
#include "tests/support/run.h"
#include "tests/support/verdict.h"

namespace omnium::test {
namespace {

TEST(Reach, LostUpdate) {
  const Trace trace = figure(R"(
      T1: begin(inc)  r(x)        w(x)  end
      T2:                   w(x)            )");
  const EngineRun run = run_engine(*find_engine("reach"), trace.events, trace.names.extent(), true);
  EXPECT_FALSE(run.findings.serializable());
  ASSERT_EQ(run.findings.violations().size(), 1u);
  EXPECT_EQ(run.findings.violations()[0].closing.source, 2u);
  EXPECT_EQ(run.findings.violations()[0].closing.sink, 3u);
  EXPECT_EQ(run.findings.violations()[0].end, 4u);
}

// Rule 5: c follows b before b follows a, and still a -> b -> c -> a, which nobody is to blame for.
TEST(Reach, WhoReachesAnOpenTransactionReachesWhatItReaches) {
  expect_not_serializable(R"(
      T1:                             begin(a) w(x)                    r(z) end
      T2: begin(b) w(y)                             r(x) end
      T3:               begin(c) r(y)                        w(z) end           )");
}

// Rule 1 is the engine's speed. Of T2 the block a reaches r(x) and what follows, b only r(z): when
// a has ended, nothing can come of a dependency from w(y) any more.
TEST(Reach, DependenciesDieWithTheTransactionThatReachedThem) {
  CounterSums counters;
  counters.add(run_named("reach", figure(R"(
      T1: begin(a) w(x)                                  end
      T2:               r(x) w(y)                   r(z)
      T3:                         begin(b) w(z)                   end
      T4:                                                    r(y)      )")));
  EXPECT_EQ(counters.sums().at("rule 1: dead dependencies"), 1u);
  EXPECT_EQ(counters.sums().at("live dependencies"), 2u);
}

}  // namespace
}  // namespace omnium::test
