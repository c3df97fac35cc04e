// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What holds of every format of the table, and golden files of those for machines.
#include "report/format.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/json_reader.h"
#include "support/child_process.h"
#include "support/utf8.h"
#include "tests/report/report_of.h"
#include "tests/support/golden.h"
#include "tests/support/subprocess.h"

namespace omnium::test {
namespace {

using nlohmann::json;

std::string rendered(std::string_view format, std::span<const report::Report> reports) {
  support::StringSink out;
  const report::RenderOptions options{{80, false}, "/home/dev/bank"};
  const auto done = report::find_format(format)->render(reports, options, out);
  EXPECT_TRUE(done) << done.error().to_string();
  return out.text();
}

// A parser of its own judges what we print.
void expect_xml(const std::string& text) {
  const auto checked = support::filtered({"xmllint", "--noout", "--nonet", "-"}, text);
  EXPECT_TRUE(checked) << checked.error().to_string() << "\n" << text;
}

// A lost update in two traces (the second time twice) and a cycle without blame.
class Formats : public testing::Test {
 protected:
  Formats() {
    for (Event& event : bank_.events) {
      event.loc_id = bank_.names.locations.intern(
          fmt::format("/home/dev/bank/src/my bank.cpp:{}:3", 40 + line_++));
    }
    reports_.push_back(report_of(bank_));
    reports_.push_back(report_of(again_));
    reports_.push_back(report_of(cycle_));
    reports_[1].path = "again.std";
    reports_[2].path = "cycle.std";
  }

  Trace bank_ = figure(kBank);
  Trace again_ = figure(R"(
    w2: begin(transfer) r(bal)        w(bal) end begin(transfer) r(bal)        w(bal) end
    w5:      begin(deposit)    w(bal)  end             begin(deposit)   w(bal)   end     )");
  Trace cycle_ = figure(kNoBlame);
  std::vector<report::Report> reports_;
  int line_ = 0;
};

TEST_F(Formats, Golden) {
  for (const std::string format : {"sarif", "junit", "github", "markdown", "dot", "perfetto"}) {
    expect_golden("tests/report/golden/formats." + format, rendered(format, reports_));
  }
}

TEST_F(Formats, TheSameIdPatternAndBlockEverywhere) {
  ASSERT_EQ(reports_[0].causes[0].id, reports_[1].causes[0].id);
  EXPECT_EQ(reports_[1].causes[0].count, 2u);
  for (const report::Format& format : report::all_formats()) {
    std::string text = rendered(format.name, reports_);
    // Graphviz writes hyphens as entities.
    for (std::size_t at; (at = text.find("&#45;")) != std::string::npos;) text.replace(at, 5, "-");
    for (const report::Cause* cause : {&reports_[0].causes[0], &*reports_[2].cycle_cause}) {
      EXPECT_NE(text.find(cause->id), std::string::npos) << format.name;
      EXPECT_NE(text.find(cause->pattern), std::string::npos) << format.name;
      EXPECT_NE(text.find(*cause->block.label), std::string::npos) << format.name;
    }
  }
}

// A program that failed is no violation, and every format tells it.
TEST_F(Formats, FailuresAreToldEverywhere) {
  report::Report failed;
  failed.path = "./bank";
  failed.run.emplace();
  failed.engine = reports_[0].engine;
  report::Cause& cause = failed.causes.emplace_back();
  cause.id = "fl-0123abcd";
  cause.pattern = "use after free";
  cause.block.label = "use_it";
  cause.event_location = "/home/dev/bank/bank.cpp:9";
  cause.found_by = "Found in run 3. To run it again: omnium replay failure-1.omh";
  cause.count = 4;
  cause.failure = {"use after free: read at bank.cpp:9 in use_it",
                   "/home/dev/bank/bank.cpp:4",
                   {{"thread 1", "left", "thread 2"}},
                   {"the last <line>"}};
  for (const std::string format :
       {"text", "json", "html", "sarif", "junit", "github", "markdown"}) {
    const std::string text = rendered(format, {&failed, 1});
    for (const std::string_view part :
         {"fl-0123abcd", "use after free", "bank.cpp:9", "omnium replay failure-1.omh", "left"}) {
      EXPECT_NE(text.find(part), std::string::npos) << format << ": " << part << "\n" << text;
    }
    // The page has words for everything.
    if (format != "html") {
      EXPECT_EQ(text.find("not atomic"), std::string::npos) << format << text;
    }
  }
  const json sarif = json::parse(rendered("sarif", {&failed, 1}));
  const json& result = sarif["runs"][0]["results"][0];
  EXPECT_EQ(result["ruleId"], "use-after-free");
  EXPECT_EQ(result["level"], "error");
  EXPECT_EQ(result["occurrenceCount"], 4);
  EXPECT_EQ(result["relatedLocations"][0]["message"]["text"], "freed here");
  EXPECT_NE(rendered("github", {&failed, 1}).find("::error file=bank.cpp,line=9,"),
            std::string::npos);
  expect_xml(rendered("junit", {&failed, 1}));
  EXPECT_NE(rendered("junit", {&failed, 1}).find("<failure type=\"use after free\""),
            std::string::npos);
  // Stored and read again, it is the same.
  const std::string stored = rendered("json", {&failed, 1});
  const auto read = report::StoredReports::parse(stored, "stored");
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(rendered("json", read->reports()), stored);
}

// GitHub drops what is too much for it; the reader is told where the rest is.
TEST_F(Formats, GithubIsShort) {
  reports_.resize(1);
  for (int i = 0; i < 25; ++i) {
    reports_[0].causes.push_back(reports_[0].causes[0]);
    reports_[0].causes.back().id = fmt::format("av-{:08x}", i);
  }
  for (int i = 0; i < 3; ++i) {
    reports_[0].causes.push_back(reports_[0].causes[0]);
    reports_[0].causes.back().id = fmt::format("av-1{:07x}", i);
    reports_[0].causes.back().status = report::Status::kCertain;
  }
  const std::string text = rendered("github", reports_);
  const auto count = [&](std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  EXPECT_EQ(count("::error "), 10u);
  EXPECT_EQ(count("::warning "), 3u);
  EXPECT_NE(text.find("::notice title=Omnium::16 further findings not annotated"),
            std::string::npos)
      << text;
  // The summary lists all of them.
  const std::string summary = rendered("markdown", reports_);
  for (const report::Cause& cause : reports_[0].causes) {
    EXPECT_NE(summary.find("| " + cause.id + " |"), std::string::npos) << cause.id;
  }
}

// Names come from traces: they are neither Markdown nor HTML.
TEST_F(Formats, MarkdownIsEscaped) {
  Trace trace = figure(kBank);
  trace.names.variables = {};
  for (int i = 0; i < 8; ++i) {
    trace.names.variables.append(fmt::format("<img>|`[x](y)````</details>{}", i));
  }
  const report::Report report = report_of(trace);
  const std::string text = rendered("markdown", {&report, 1});
  const std::size_t fence = text.find("\n`````text\n");  // longer than what is in the names
  ASSERT_NE(fence, std::string::npos) << text;
  EXPECT_EQ(text.substr(0, fence).find("<img>"), std::string::npos) << text;
  EXPECT_NE(text.find("&lt;img\\>\\|\\`\\[x\\]"), std::string::npos) << text;
}

TEST_F(Formats, StoredResultsRenderTheSame) {
  const auto stored = report::StoredReports::parse(rendered("json", reports_), "result.json");
  ASSERT_TRUE(stored) << stored.error().to_string();
  for (const report::Format& format : report::all_formats()) {
    EXPECT_EQ(rendered(format.name, stored->reports()), rendered(format.name, reports_))
        << format.name;
  }
}

TEST_F(Formats, NothingFoundIsADocumentToo) {
  const Trace clean = figure("T1: begin(a) r(x) w(x) end");
  const report::Report report = report_of(clean);
  const std::span<const report::Report> one(&report, 1);
  EXPECT_TRUE(json::parse(rendered("sarif", one))["runs"][0]["results"].empty());
  EXPECT_TRUE(json::parse(rendered("perfetto", one))["traceEvents"].empty());
  EXPECT_EQ(rendered("github", one), "");
  EXPECT_NE(rendered("junit", one).find("tests=\"1\" failures=\"0\""), std::string::npos);
  expect_xml(rendered("junit", one));
  expect_xml(rendered("svg", one));
  for (const report::Format& format : report::all_formats()) rendered(format.name, {});
}

TEST_F(Formats, AnEngineThatDoesNotSayWhere) {
  const report::Report report = report_of(bank_, "aerodrome");
  const std::span<const report::Report> one(&report, 1);
  const auto results = json::parse(rendered("sarif", one))["runs"][0]["results"];
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0]["ruleId"], "not-serializable");
  EXPECT_NE(rendered("junit", one).find("failures=\"1\""), std::string::npos);
  EXPECT_TRUE(rendered("github", one).starts_with("::error title=Omnium::bank.std: not seri"));
}

// Findings that somebody knows about fail nothing, and machines learn why.
TEST_F(Formats, SuppressedAndKnown) {
  reports_.resize(1);
  reports_[0].causes[0].marks.suppressed = "the <deposit> is made again";
  const auto sarif = json::parse(rendered("sarif", reports_))["runs"][0]["results"][0];
  EXPECT_EQ(sarif["suppressions"][0]["justification"], "the <deposit> is made again");
  EXPECT_NE(rendered("junit", reports_).find("failures=\"0\" errors=\"0\" skipped=\"1\""),
            std::string::npos);
  expect_xml(rendered("junit", reports_));
  EXPECT_EQ(rendered("github", reports_), "");
  reports_[0].causes[0].marks.suppressed.reset();
  reports_[0].causes[0].marks.known = true;
  EXPECT_EQ(json::parse(rendered("sarif", reports_))["runs"][0]["results"][0]["baselineState"],
            "unchanged");
  EXPECT_EQ(rendered("github", reports_), "");
}

// Graphviz knows entities of HTML; a name is none, whatever it looks like.
TEST_F(Formats, NamesInGraphsAreNoEntities) {
  Trace trace = figure(kBank);
  trace.names.variables = {};
  for (int i = 0; i < 8; ++i) trace.names.variables.append(fmt::format("a&lt;{}", i));
  const report::Report report = report_of(trace);
  EXPECT_NE(rendered("dot", {&report, 1}).find("write a&amp;lt;"), std::string::npos);
  EXPECT_NE(rendered("svg", {&report, 1}).find(">a&amp;lt;"), std::string::npos);
}

TEST_F(Formats, PerfettoParsedBack) {
  const auto events = json::parse(rendered("perfetto", reports_))["traceEvents"];
  std::vector<json> slices, starts, finishes;
  for (const json& event : events) {
    if (event["ph"] == "X") slices.push_back(event);
    if (event["ph"] == "s") starts.push_back(event);
    if (event["ph"] == "f") finishes.push_back(event);
  }
  const auto of = [&](std::string_view category) {
    return std::ranges::count_if(slices, [&](const json& it) { return it["cat"] == category; });
  };
  EXPECT_EQ(of("transaction"), 4);  // two findings of two transactions
  EXPECT_EQ(of("event"), 8 + 4);
  ASSERT_EQ(starts.size(), 4u);
  ASSERT_EQ(finishes.size(), 4u);
  // Both ends of an arrow lie in a slice of an event, inside the slice of a transaction.
  const auto around = [&](const json& end) {
    return std::ranges::count_if(slices, [&](const json& it) {
      return it["pid"] == end["pid"] && it["tid"] == end["tid"] && it["ts"] <= end["ts"] &&
             end["ts"] <= it["ts"].get<double>() + it["dur"].get<double>();
    });
  };
  for (std::size_t i = 0; i < starts.size(); ++i) {
    EXPECT_EQ(starts[i]["id"], finishes[i]["id"]);
    EXPECT_LT(starts[i]["ts"], finishes[i]["ts"]);
    EXPECT_EQ(around(starts[i]), 2);
    EXPECT_EQ(around(finishes[i]), 2);
  }
}

TEST_F(Formats, SvgOutlinesTheBlamedBlockAndDashesTheClosingEdge) {
  reports_.resize(1);
  const std::string svg = rendered("svg", reports_);
  expect_xml(svg);
  const auto count = [&](std::string_view what) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = svg.find(what, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  EXPECT_EQ(count("<g class='box"), 2u);
  EXPECT_EQ(count("<g class='box blamed'>"), 1u);
  EXPECT_EQ(count("<g class='edge step "), 2u);
  EXPECT_EQ(count("<g class='edge step closing'"), 1u);
  EXPECT_NE(svg.find("read bal (/home/dev/bank/src/my bank.cpp:42:3), then"), std::string::npos);
}

// Another program lays it out.
TEST_F(Formats, GraphvizReadsDot) {
  const ScratchDirectory folder;
  const std::string graph = folder.file("all.dot", rendered("dot", reports_));
  const Ran ran = run_program({"dot", "-Tplain", graph});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("graph ")) << ran.out;
}

// The names of the properties of ::error NAME=VALUE,NAME=VALUE::MESSAGE, as the runner reads it.
std::vector<std::string_view> properties_of(std::string_view command) {
  command.remove_prefix(std::string_view("::error ").size());
  std::string_view rest = command.substr(0, command.find("::"));
  std::vector<std::string_view> names;
  while (!rest.empty()) {
    const std::string_view property = rest.substr(0, rest.find(','));
    names.push_back(property.substr(0, property.find('=')));
    rest.remove_prefix(std::min(rest.size(), property.size() + 1));
  }
  return names;
}

// Names come from traces: they are somebody's input.
class HostileNames : public testing::TestWithParam<std::string> {};

TEST_P(HostileNames, AreHarmlessInEveryFormat) {
  const std::string name = GetParam();
  Trace trace = figure(R"(
      T1: begin(a) acq(m) r(x) rel(m)                    acq(m) w(x) rel(m) end
      T2:                             acq(m) w(x) rel(m)                        )");
  Names names;
  for (const std::string_view thread : {"1", "2"}) names.threads.intern(name + std::string(thread));
  names.variables.intern(name);
  names.locks.intern(name);
  names.labels.intern(name);
  names.labels.intern("");
  for (Event& event : trace.events) event.loc_id = names.locations.intern(name + ":7");
  trace.names = std::move(names);
  std::vector<report::Report> reports{report_of(trace), report_of(trace)};
  reports[0].path = name;
  reports[0].causes[0].marks.suppressed = name;
  // Stored results are input, too.
  reports[1].causes[0].id = name;
  reports[1].causes[0].pattern = name;
  reports[1].with_stats = true;
  reports[1].stats.front().name = name;
  for (const report::Format& format : report::all_formats()) {
    const std::string text = rendered(format.name, reports);
    EXPECT_EQ(support::to_valid_utf8(text), text) << format.name;
    const bool control = std::ranges::any_of(
        text, [](char c) { return (c >= 0 && c < ' ' && c != '\n') || c == '\x7f'; });
    EXPECT_FALSE(control) << format.name;
  }
  expect_xml(rendered("junit", reports));
  const std::string svg = rendered("svg", reports);
  expect_xml(svg);
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_TRUE(json::accept(rendered("sarif", reports)));
  EXPECT_TRUE(json::accept(rendered("perfetto", reports)));
  const std::string github = rendered("github", reports);
  EXPECT_EQ(std::ranges::count(github, '\n'), 1) << github;
  EXPECT_EQ(properties_of(github), (std::vector<std::string_view>{"file", "line", "title"}));
  const auto stored = report::StoredReports::parse(rendered("json", reports), "result.json");
  ASSERT_TRUE(stored) << stored.error().to_string();
  EXPECT_EQ(stored->reports().size(), 2u);
}

INSTANTIATE_TEST_SUITE_P(Names, HostileNames,
                         testing::Values("<script>alert(1)</script>", "\"quoted\" 'it' `cmd` \\",
                                         "a\nb\r\nc\t", "\x1b[2J\x1b]0;title\x07", "\xff\xfe\xc3(",
                                         "\xc2\x9b"
                                         "31m",
                                         "%0A::error::x,y:z", "]]>&lt;&amp;&#x41;<!--",
                                         "\\N\\G\\l{|}<b>", "\xe2\x80\xaeright to left",
                                         "\xef\xbf\xbf\xef\xbf\xbe", std::string("nul\0byte", 8),
                                         std::string(10'000, 'n'), std::string(10'000, '<'),
                                         "::set-output name=x::y", "</failure></testcase>"));

}  // namespace
}  // namespace omnium::test
