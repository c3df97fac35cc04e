// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Functions that are blocks although nobody declared them: one cause each, known by its name, and
// those that call another that is not atomic follow from it.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/report/report_of.h"
#include "tests/support/trace_bytes.h"

namespace omnium::test {
namespace {

constexpr const char* kRemark = "T1|signal(blocks are not declared)|\n";

struct Checked {
  std::unique_ptr<EventSource> source;  // has the names
  report::Report report;
};

Checked check(const std::string& trace, bool refines = true) {
  Checked out{source_of(kRemark + trace, TraceFormat::kStd), {}};
  CheckOptions options;
  options.refines = refines;
  auto report =
      report::check_and_report(*out.source, "shop.omt", *find_engine(kDefaultEngine), options);
  CHECK(report.has_value());
  out.report = std::move(*report);
  return out;
}

const report::Cause& of_block(const report::Report& report, std::string_view label) {
  const auto at = std::ranges::find_if(
      report.causes, [&](const report::Cause& it) { return it.block.label == label; });
  CHECK(at != report.causes.end());
  return *at;
}

std::string window(const std::string& variable, const std::string& function) {
  return "T1|r(" + variable + ")|a.cc:1 in " + function + "\nT2|w(" + variable +
         ")|a.cc:2 in put\nT1|r(" + variable + ")|a.cc:3 in " + function + "\n";
}

TEST(Undeclared, TheIdIsThatOfTheFunction) {
  const std::string begin = "T1|begin(f)|\n", end = "T1|end(f)|\n";
  const std::string x = begin + window("x", "g") + end, y = begin + window("y", "h") + end;
  EXPECT_EQ(check(x).report.causes[0].id, check(y).report.causes[0].id);
  EXPECT_EQ(check(x + y).report.causes.size(), 1u);
  EXPECT_NE(check(x, false).report.causes[0].id, check(y, false).report.causes[0].id);
}

// What serve() does in g() and take() in h().
std::string nested(const std::string& take_in) {
  return "T1|begin(serve)|\n" + window("x", "g") + "T1|begin(take)|\n" + window("y", take_in) +
         "T1|end(take)|\nT1|end(serve)|\n";
}

TEST(Undeclared, CallersFollow) {
  const Checked checked = check(nested("h"));
  const report::Report& report = checked.report;
  ASSERT_EQ(report.causes.size(), 2u);
  EXPECT_TRUE(of_block(report, "take").follows_from.empty());
  EXPECT_EQ(report.causes.back().block.label, "serve");
  EXPECT_EQ(report.causes.back().follows_from, of_block(report, "take").id);
  const std::string text = text_of(report);
  EXPECT_NE(text.find("summary of 1 more function"), std::string::npos) << text;
  EXPECT_NE(text.find("1 cause; 1 function follows from"), std::string::npos) << text;
  EXPECT_EQ(text.find("serve()  was not atomic"), std::string::npos) << text;
  EXPECT_NE(json_of(report).find("\"follows_from\""), std::string::npos);
}

TEST(Undeclared, AWindowInItsOwnCodeFollowsFromNothing) {
  const std::string trace = "T1|begin(serve)|\n" + window("x", "serve") + "T1|begin(take)|\n" +
                            window("y", "h") + "T1|end(take)|\nT1|end(serve)|\n";
  for (const report::Cause& cause : check(trace).report.causes) {
    EXPECT_TRUE(cause.follows_from.empty()) << cause.block.label.value_or("");
  }
}

TEST(Undeclared, NothingFollowsWhereBlocksAreDeclared) {
  for (const report::Cause& cause : check(nested("h"), false).report.causes) {
    EXPECT_TRUE(cause.follows_from.empty());
  }
}

}  // namespace
}  // namespace omnium::test
