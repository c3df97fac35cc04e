// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What the page contains; web/test opens it in a browser.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/html.h"
#include "report/viewer.h"
#include "tests/report/report_of.h"
#include "tests/support/golden.h"
#include "tests/support/subprocess.h"

namespace omnium::test {
namespace {

std::string html_of(std::span<const report::Report> reports,
                    std::span<const report::Snippet> snippets = {}) {
  support::StringSink out;
  render_html(reports, snippets, "VS Code", out);
  return out.text();
}

// What stands in the page instead of the placeholder.
std::string data_of(const std::string& page) {
  const std::size_t before = report::kViewer.find(report::kViewerData);
  const std::size_t after = report::kViewer.size() - before - report::kViewerData.size();
  EXPECT_EQ(page.substr(0, before), report::kViewer.substr(0, before));
  EXPECT_EQ(page.substr(page.size() - after),
            report::kViewer.substr(report::kViewer.size() - after));
  return page.substr(before, page.size() - before - after);
}

TEST(Html, TheEmbeddedViewerIsTheCommittedOne) {
  EXPECT_TRUE(report::kViewer == read_whole(OMNIUM_SOURCE_DIR "/web/dist/viewer.html"));
}

TEST(Html, TheStyleOfDrawingsIsTheCommittedOne) {
  EXPECT_TRUE(report::kDrawingStyle == read_whole(OMNIUM_SOURCE_DIR "/web/dist/drawing.css"));
}

TEST(Html, HasTheCausesOfTheJsonReport) {
  const Trace trace = with_places(figure(kBank));
  const report::Report report = report_of(trace);
  const auto page = nlohmann::json::parse(data_of(html_of({&report, 1})));
  auto expected = nlohmann::json::parse(json_of(report));
  expected.erase("violations");
  expected.erase("refuted");
  EXPECT_EQ(page["reports"], nlohmann::json::array({expected}));
  EXPECT_EQ(page["sources"], nlohmann::json::array());
}

TEST(Html, NothingInTheDataEndsTheScript) {
  Trace trace = figure(R"(
      T1: begin(a) r(x)      w(x) end
      T2:               w(x)          )");
  Names names;
  names.threads.intern("</script><script>alert(1)</script>");
  names.threads.intern("<!--");
  names.variables.intern("\xe2\x80\xa8<\xff");
  names.labels.intern("]]>\"'");
  names.labels.intern("");  // of the end
  trace.names = std::move(names);
  const report::Report report = report_of(trace);
  const std::string data = data_of(html_of({&report, 1}));
  EXPECT_EQ(data.find('<'), std::string::npos);
  const auto page = nlohmann::json::parse(data);
  EXPECT_EQ(page["reports"][0]["causes"][0]["block"]["thread"],
            "</script><script>alert(1)</script>");
}

// However many findings there are, a shape is drawn once; the words are the viewer's business.
TEST(Html, SeveralTracesInOnePage) {
  const Trace trace = figure(kBank);
  const std::vector<report::Report> reports{report_of(trace), report_of(trace)};
  const auto page = nlohmann::json::parse(data_of(html_of(reports)));
  EXPECT_EQ(page["reports"].size(), 2u);
  ASSERT_EQ(page["drawings"].size(), 1u);
  const std::string wide = page["drawings"]["Bsbs"]["wide"];
  EXPECT_NE(wide.find("<g class='box blamed'>"), std::string::npos);
  EXPECT_EQ(wide.find("transfer"), std::string::npos);
}

TEST(Html, SaysWhereTheSourceFilesAre) {
  const std::vector<report::Snippet> snippets{{"a.cc", "/home/me/a.cc", 1, {"int a;"}},
                                              {"a.cc", "/home/me/a.cc", 9, {"int b;"}}};
  const Trace trace = figure(kBank);
  const report::Report report = report_of(trace);
  const auto page = nlohmann::json::parse(data_of(html_of({&report, 1}, snippets)));
  EXPECT_EQ(page["files"], (nlohmann::json{{"a.cc", "/home/me/a.cc"}}));
  EXPECT_EQ(page["editor"], "VS Code");
}

std::string seven_lines() { return "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"; }

TEST(Snippets, LinesAroundWhatIsNamedBesideTheTrace) {
  const ScratchDirectory folder;
  std::string text;
  for (int i = 0; i < 10; ++i) text += seven_lines();
  folder.file("bank.cpp", text);
  const Trace trace = with_places(figure(kBank));
  report::Report report = report_of(trace);
  report.path = folder.path("bank.std");
  const auto snippets = report::snippets_of({&report, 1});
  ASSERT_EQ(snippets.size(), 1u);
  EXPECT_EQ(snippets[0].file, "bank.cpp");
  EXPECT_EQ(snippets[0].path, folder.path("bank.cpp"));
  EXPECT_EQ(snippets[0].first, 37u);
  EXPECT_EQ(snippets[0].lines.front(), "two");
}

TEST(Snippets, InText) {
  const ScratchDirectory folder;
  std::string text;
  for (int i = 1; i <= 60; ++i) text += fmt::format("\tline({}); \x1b[2J\n", i);
  folder.file("bank.cpp", text);
  const Trace trace = with_places(figure(kBank));
  report::Report report = report_of(trace);
  report.path = folder.path("bank.std");
  const auto snippets = report::snippets_of({&report, 1});
  report.path = "bank.std";
  expect_golden("tests/report/golden/bank-80-source.txt",
                text_of(report, {80, false, report::TextPart::kAll, false, snippets}));
}

TEST(Snippets, OnlySourceFiles) {
  const ScratchDirectory folder;
  Trace trace = figure(kBank);
  for (Event& event : trace.events) event.loc_id = trace.names.locations.intern("secret.key:2");
  report::Report report = report_of(trace);
  report.path = folder.path("bank.std");
  folder.file("secret.key", seven_lines());
  EXPECT_TRUE(report::snippets_of({&report, 1}).empty());
}

}  // namespace
}  // namespace omnium::test
