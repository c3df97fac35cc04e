// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What did not happen is never told as if it had, in any format; what happened is never told as if
// it only could.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/findings.h"
#include "report/format.h"
#include "report/json_reader.h"
#include "support/display.h"
#include "tests/report/report_of.h"
#include "tests/support/golden.h"

namespace omnium::test {
namespace {

using nlohmann::json;
using report::EventView;
using report::Status;

constexpr std::string_view kMachineFormats[] = {"sarif",    "junit", "github",
                                                "markdown", "dot",   "perfetto"};
// Words of reports about what happened.
constexpr std::string_view kPastTense[] = {
    "was not atomic", "interfered",  "wrote ",  "Seen ",         "seen once", "seen in",
    " held ",         "came before", "nor was", "What happened", "CONFIRMED", "confirmed"};

std::string rendered(std::string_view format, std::span<const report::Report> reports) {
  support::StringSink out;
  const report::RenderOptions options{{80, false}, "/home/dev/bank"};
  EXPECT_TRUE(report::find_format(format)->render(reports, options, out));
  return out.text();
}

// The page speaks in both tenses, about its data.
std::string without_viewer(std::string_view format, std::string text) {
  if (format != "html") return text;
  const std::size_t data = text.find("{\"reports\":"), words = text.find(",\"words\":");
  return text.substr(data, words - data);
}

class PredictedReport : public testing::Test {
 protected:
  report::Report with(Status status) const {
    report::Report report = report_of(trace_);
    if (status == Status::kSeen) return report;
    report.predicted.emplace();
    report.predicted->remarks = {"2 transactions were not decided within the budget."};
    report.serializable.reset();
    report.causes[0].status = status;
    if (status == Status::kPossible) {
      report.causes[0].changed_read = EventView{7, Kind::kRead, "w5", "limit", "bank.cpp:60"};
    }
    return report;
  }

  Trace trace_ = with_places(figure(R"(
    w2: begin(outer) begin(f) acq(m) r(b) rel(m)                           acq(m) w(b) end end
    w5:                                         begin(g) acq(m) w(b) rel(m)                    )"));
};

TEST_F(PredictedReport, Golden) {
  const report::Report reports[] = {with(Status::kCertain), with(Status::kPossible)};
  for (const report::Report& report : reports) {
    const std::string name(to_string(report.causes[0].status));
    expect_golden("tests/report/golden/" + name + "-80.txt", text_of(report));
    for (const std::string_view format : kMachineFormats) {
      expect_golden(fmt::format("tests/report/golden/{}.{}", name, format),
                    rendered(format, {&report, 1}));
    }
  }
}

TEST_F(PredictedReport, IsToldInTheConditionalInEveryFormat) {
  for (const Status status : {Status::kCertain, Status::kPossible}) {
    const report::Report report = with(status);
    for (const report::Format& format : report::all_formats()) {
      const std::string text = without_viewer(format.name, rendered(format.name, {&report, 1}));
      EXPECT_NE(text.find(to_string(status)), std::string::npos) << format.name;
      for (const std::string_view word : kPastTense) {
        EXPECT_EQ(text.find(word), std::string::npos) << format.name << ": " << word << "\n"
                                                      << text;
      }
      if (format.name == "json" || format.name == "html") continue;  // data without sentences
      EXPECT_NE(text.find("could"), std::string::npos) << format.name << "\n" << text;
    }
  }
}

TEST_F(PredictedReport, WhatHappenedIsToldAsBefore) {
  const report::Report report = with(Status::kSeen);
  for (const report::Format& format : report::all_formats()) {
    const std::string text = without_viewer(format.name, rendered(format.name, {&report, 1}));
    EXPECT_EQ(text.find("could"), std::string::npos) << format.name;
    EXPECT_EQ(text.find("\"status\""), std::string::npos) << format.name;
    EXPECT_EQ(text.find("\"predicted\""), std::string::npos) << format.name;
  }
}

TEST_F(PredictedReport, IsNeverAnError) {
  const auto level = [&](Status status) {
    const report::Report report = with(status);
    return json::parse(rendered("sarif", {&report, 1}))["runs"][0]["results"][0]["level"];
  };
  EXPECT_EQ(level(Status::kSeen), "error");
  EXPECT_EQ(level(Status::kCertain), "warning");
  EXPECT_EQ(level(Status::kPossible), "note");
  const auto annotation = [&](Status status) {
    const report::Report report = with(status);
    const std::string text = rendered("github", {&report, 1});
    return text.substr(0, text.find(' '));
  };
  EXPECT_EQ(annotation(Status::kSeen), "::error");
  EXPECT_EQ(annotation(Status::kCertain), "::warning");
  EXPECT_EQ(annotation(Status::kPossible), "::notice");
}

// A dashboard fails where the exit status does.
TEST_F(PredictedReport, OnlyWhatIsCertainFailsATest) {
  const report::Report certain = with(Status::kCertain), possible = with(Status::kPossible);
  EXPECT_NE(rendered("junit", {&certain, 1}).find("failures=\"1\""), std::string::npos);
  EXPECT_NE(rendered("junit", {&possible, 1}).find("failures=\"0\" errors=\"0\" skipped=\"1\""),
            std::string::npos);
  report::Report nothing = with(Status::kCertain);
  nothing.causes.clear();
  nothing.violations.clear();
  EXPECT_NE(rendered("junit", {&nothing, 1}).find("name=\"no violation predicted\"/>"),
            std::string::npos);
}

TEST_F(PredictedReport, StoredResultsRenderTheSame) {
  const report::Report reports[] = {with(Status::kPossible), with(Status::kCertain)};
  const auto stored = report::StoredReports::parse(rendered("json", reports), "result.json");
  ASSERT_TRUE(stored) << stored.error().to_string();
  for (const report::Format& format : report::all_formats()) {
    EXPECT_EQ(rendered(format.name, stored->reports()), rendered(format.name, reports))
        << format.name;
  }
}

TEST_F(PredictedReport, TheSurestReportOfACauseTellsIt) {
  report::Report reports[] = {with(Status::kPossible), with(Status::kSeen), with(Status::kCertain)};
  reports[1].path = "seen.std";
  reports[0].causes[0].count = 5;
  const auto findings = report::findings_of(reports);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].cause, &reports[1].causes[0]);
  EXPECT_EQ(findings[0].reports.front(), &reports[1]);
  EXPECT_EQ(findings[0].reports.size(), 3u);
  EXPECT_EQ(findings[0].count, 1u);
}

TEST_F(PredictedReport, SaysAtomicOnlyIfTheWholeIsSo) {
  report::Report report = with(Status::kCertain);
  report.causes.clear();
  report.violations.clear();
  report.predicted->remarks.clear();
  EXPECT_TRUE(text_of(report).starts_with("bank.std: no violation predicted (")) << text_of(report);
  report.predicted->atomic = true;
  EXPECT_TRUE(text_of(report).starts_with("bank.std: atomic in every interleaving of these events"))
      << text_of(report);
}

}  // namespace
}  // namespace omnium::test
