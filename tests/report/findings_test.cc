// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A part of a report is a report.
#include "report/findings.h"

#include <gtest/gtest.h>

#include "tests/report/report_of.h"

namespace omnium::test {
namespace {

TEST(PartsOfReports, HaveTheViolationsOfTheirCauses) {
  const Trace trace = with_places(figure(R"(
    T1: begin(add)  r(x)      w(x) end begin(take) r(y)      w(y) end
    T2:                  w(x)                           w(y)          )"));
  const report::Report whole = report_of(trace);
  ASSERT_EQ(whole.causes.size(), 2u);
  for (const report::Cause& cause : whole.causes) {
    report::Report part = whole;
    report::keep_causes(part, std::vector<std::string>{cause.id});
    ASSERT_EQ(part.causes.size(), 1u);
    EXPECT_EQ(part.causes[0].id, cause.id);
    ASSERT_EQ(part.violations.size(), 1u);
    EXPECT_EQ(part.violations[0].cause, 0u);
    EXPECT_EQ(part.violations[0].transaction.label, cause.block.label);
  }
  report::Report none = whole;
  report::keep_causes(none, {});
  EXPECT_TRUE(none.causes.empty() && none.violations.empty());
}

}  // namespace
}  // namespace omnium::test
