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

std::string counts(const std::string& function, const std::string& counter) {
  const std::string update = "rmw(" + counter + ")|a.cc:1 in add\n";
  return "T1|begin(" + function + ")|\nT1|" + update + "T2|" + update + "T1|" + update +
         "T1|end(" + function + ")|\n";
}

// Which of the functions is seen is a matter of luck.
TEST(Undeclared, WhatOnlyCountsIsOneCause) {
  const std::string put = counts("put", "stats.bytes"), get = counts("get", "stats.hits");
  const Checked checked = check(put + get + counts("cut", "metrics.hits"));
  ASSERT_EQ(checked.report.causes.size(), 2u);
  const report::Cause& cause = of_block(checked.report, "put");
  EXPECT_EQ(cause.count, 2u);
  EXPECT_EQ(cause.other_functions, std::vector<std::string_view>{"get"});
  EXPECT_TRUE(of_block(checked.report, "cut").other_functions.empty());
  EXPECT_EQ(check(get).report.causes[0].id, cause.id);
  EXPECT_NE(text_of(checked.report).find("Not atomic in the same way: get."), std::string::npos);
  EXPECT_NE(json_of(checked.report).find("\"other_functions\":[\"get\"]"), std::string::npos);
  EXPECT_EQ(check(put + get, false).report.causes.size(), 2u);
}

// No block is to blame: each has read what the next one writes.
std::string cycle_with(const std::string& other, bool of_three) {
  const std::string first = "T1|begin(f)|\nT1|r(x)|\n", last = "T1|w(y)|\nT1|end(f)|\n";
  const std::string begin = "T2|begin(" + other + ")|\nT2|r(y)|\n";
  const std::string end = "T2|end(" + other + ")|\n";
  if (!of_three) return first + begin + last + "T2|w(x)|\n" + end;
  return first + begin + "T3|begin(h)|\nT3|r(z)|\n" + last + "T2|w(z)|\n" + end +
         "T3|w(x)|\nT3|end(h)|\n";
}

TEST(Undeclared, LongCyclesAreKnownByTheirFirstFunction) {
  const auto id = [](const std::string& other, bool of_three, bool refines = true) {
    const Checked checked = check(cycle_with(other, of_three), refines);
    CHECK(checked.report.cycle_cause.has_value());
    return checked.report.cycle_cause->id;
  };
  EXPECT_EQ(id("g", true), id("k", true));
  EXPECT_NE(id("g", false), id("k", false));
  EXPECT_NE(id("g", true, false), id("k", true, false)) << "declared";
}

TEST(Undeclared, NothingFollowsWhereBlocksAreDeclared) {
  for (const report::Cause& cause : check(nested("h"), false).report.causes) {
    EXPECT_TRUE(cause.follows_from.empty());
  }
}

}  // namespace
}  // namespace omnium::test
