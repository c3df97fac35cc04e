// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What is probably harmless comes last in every format, says why, and is still there.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/findings.h"
#include "report/format.h"
#include "report/json_reader.h"
#include "tests/report/report_of.h"
#include "tests/support/golden.h"

namespace omnium::test {
namespace {

using nlohmann::json;

// First a reference count, then a lost update.
constexpr std::string_view kMixed = R"(
  T1: begin(share) rmw(refs)           rmw(refs) end begin(pay) r(bal)        w(bal) end
  T2:                        rmw(refs)                                 w(bal)            )";

// A lock that the program made of an atomic variable.
constexpr std::string_view kSpinning = R"(
  T1: begin(work) rmw(flag) aw(flag)                    rmw(flag) aw(flag) end
  T2:                                rmw(flag) aw(flag)                        )";

std::string rendered(std::string_view format, const report::Report& report) {
  support::StringSink out;
  EXPECT_TRUE(report::find_format(format)->render({&report, 1}, {{80, false}, "/"}, out));
  return out.text();
}

TEST(NoiseInReports, ComesLastAndSaysWhy) {
  const Trace trace = with_places(figure(kMixed));
  const report::Report report = report_of(trace);
  ASSERT_EQ(report.causes.size(), 2u);
  EXPECT_EQ(report.causes[0].block.label, "pay");
  EXPECT_EQ(report.causes[1].noise, Noise::kReferenceCount);
  expect_golden("tests/report/golden/noise-80.txt", text_of(report));
}

TEST(NoiseInReports, IsANoteOfALowRankForMachines) {
  const Trace trace = with_places(figure(kMixed));
  const report::Report report = report_of(trace);
  const json results = json::parse(rendered("sarif", report))["runs"][0]["results"];
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0]["level"], "error");
  EXPECT_FALSE(results[0].contains("rank"));
  EXPECT_EQ(results[1]["level"], "note");
  EXPECT_EQ(results[1]["rank"], 1.0);
  EXPECT_EQ(results[1]["properties"]["looksLike"], "reference count");
  const std::string message = results[1]["message"]["text"];
  EXPECT_TRUE(message.ends_with("; looks like a reference count")) << message;
  const std::string github = rendered("github", report);
  EXPECT_LT(github.find("::error "), github.find("::notice "));
}

TEST(NoiseInReports, IsKeptInAStoredResult) {
  const Trace trace = with_places(figure(kMixed));
  const report::Report report = report_of(trace);
  const auto stored = report::StoredReports::parse(json_of(report), "result.json");
  ASSERT_TRUE(stored.has_value());
  EXPECT_EQ(stored->reports()[0].causes[1].noise, Noise::kReferenceCount);
  EXPECT_EQ(text_of(stored->reports()[0]), text_of(report));
  EXPECT_EQ(json::parse(json_of(report))["causes"][1]["looks_like"], "reference count");
}

// The same cause is no noise in one trace: then that one is told.
TEST(NoiseInReports, OfOneTraceOfSeveralIsNoNoise) {
  const Trace noise = figure(R"(
      T1: begin(share) rmw(refs)           rmw(refs) end
      T2:                        rmw(refs)               )");
  const Trace other = figure(R"(
      T1: begin(share) ar(refs)           rmw(refs) end
      T2:                       rmw(refs)               )");
  const std::vector<report::Report> reports{report_of(noise), report_of(other)};
  const auto findings = report::findings_of(reports);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_FALSE(is_noise(*findings[0].cause));
  EXPECT_EQ(findings[0].count, 2u);
}

TEST(OwnLockInReports, GetsAHint) {
  const Trace trace = with_places(figure(kSpinning));
  const report::Report report = report_of(trace);
  ASSERT_EQ(report.causes.size(), 1u);
  const std::string text = text_of(report);
  EXPECT_NE(text.find("  Hint: flag is used like a lock: "), std::string::npos) << text;
  EXPECT_EQ(json::parse(json_of(report))["causes"][0]["own_lock"], "flag");
  const auto stored = report::StoredReports::parse(json_of(report), "result.json");
  ASSERT_TRUE(stored.has_value());
  EXPECT_EQ(text_of(stored->reports()[0]), text);
}

}  // namespace
}  // namespace omnium::test
