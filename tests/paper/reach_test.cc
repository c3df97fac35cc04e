// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/figure.h"
#include "tests/support/run.h"

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

}  // namespace
}  // namespace omnium::test
