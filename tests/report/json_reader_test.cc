// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What -f json stores is all that a renderer shows.
#include "report/json_reader.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/format.h"
#include "tests/report/report_of.h"
#include "tests/support/random_rich_trace.h"
#include "tests/support/random_trace.h"

namespace omnium::test {
namespace {

using report::StoredReports;

// Stored and read again, the report says the same in words and in JSON.
void expect_same_again(const report::Report& report) {
  const std::string stored = json_of(report);
  const auto again = StoredReports::parse(stored, "result.json");
  ASSERT_TRUE(again) << again.error().to_string() << "\n" << stored;
  ASSERT_EQ(again->reports().size(), 1u);
  EXPECT_EQ(json_of(again->reports()[0]), stored);
  EXPECT_EQ(text_of(again->reports()[0]), text_of(report));
}

constexpr std::string_view kFigures[] = {kBank, kNoBlame, "T1: begin(a) r(x) w(x) end",
                                         R"(
    T1: begin r(x)      w(x)
    T2:            w(x)      )",
                                         R"(
    T1: begin(outer) begin(inner) fork(T2)                     join(T2) end end
    T2:                                    begin(b) w(x) end                   )"};

TEST(StoredResult, RendersTheSameForEveryEngine) {
  for (const std::string_view drawing : kFigures) {
    const Trace trace = with_places(figure(drawing));
    for (const EngineEntry& engine : all_engines()) {
      report::Report report = report_of(trace, engine.info.name);
      expect_same_again(report);
      report.with_stats = true;
      report.read_again = false;
      expect_same_again(report);
    }
  }
}

TEST(StoredResult, RendersTheSameForRandomTraces) {
  std::size_t violations = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Trace trace = random_trace(seed, random_shape(seed));
    const Trace rich = random_rich_trace(seed);
    for (const Trace* it : {&trace, &rich}) {
      const report::Report report = report_of(*it);
      violations += report.violations.size();
      expect_same_again(report);
    }
  }
  EXPECT_GT(violations, 100u);
}

TEST(StoredResult, HoldsWhatPeopleSaid) {
  const Trace trace = with_places(figure(kBank));
  report::Report report = report_of(trace);
  report.causes[0].marks.suppressed = "the deposit is made again";
  report.causes[0].marks.known = false;
  expect_same_again(report);
}

// Nobody counts the events of a running program.
TEST(StoredResult, HoldsARun) {
  const Trace trace = with_places(figure(kBank));
  report::Report report = report_of(trace);
  report.run = {2, 14, 30, 0};
  report.instances = 7;
  const auto json = nlohmann::json::parse(json_of(report));
  EXPECT_TRUE(json["trace"]["events"].is_null());
  EXPECT_EQ(json["trace"]["lock_operations"], 30);
  EXPECT_TRUE(
      text_of(report).ends_with("7 violations with 1 cause (2 threads, 14 blocks,\n"
                                "  30 lock operations, 0 atomic operations)\n"))
      << text_of(report);
  expect_same_again(report);
}

// Such a lock is not stored again, so it must not be told either.
TEST(StoredResult, ALockWithoutAccessesIsNone) {
  const Trace trace = with_places(figure(kBank));
  auto json = nlohmann::ordered_json::parse(json_of(report_of(trace)));
  json["causes"][0]["picture"]["sentences"] = nlohmann::ordered_json::array();
  const auto stored = StoredReports::parse(json.dump(), "r.json");
  ASSERT_TRUE(stored) << stored.error().to_string();
  expect_same_again(stored->reports()[0]);
}

TEST(StoredResult, HoldsSeveralObjects) {
  const Trace bank = with_places(figure(kBank));
  const Trace cycle = figure(kNoBlame);
  const std::string first = json_of(report_of(bank)), second = json_of(report_of(cycle));
  // As written, and as somebody's tool prints it.
  for (const std::string& text :
       {first + second, "\n" + nlohmann::ordered_json::parse(first).dump(2) + "  " + second}) {
    const auto stored = StoredReports::parse(text, "result.json");
    ASSERT_TRUE(stored) << stored.error().to_string();
    ASSERT_EQ(stored->reports().size(), 2u);
    EXPECT_EQ(json_of(stored->reports()[0]), first);
    EXPECT_EQ(json_of(stored->reports()[1]), second);
  }
}

std::string error_of(const std::string& text) {
  const auto stored = StoredReports::parse(text, "r.json");
  return stored ? "none" : stored.error().to_string();
}

TEST(StoredResult, WrongInputHasAPlace) {
  EXPECT_EQ(error_of(""), "r.json:1:1: error: expected a result of -f json, got nothing");
  EXPECT_EQ(error_of("\n\n [1]"), "r.json:3:2: error: expected a result of -f json, got '[1]'");
  EXPECT_EQ(error_of("{\n\"tool\": oops}"), "r.json:2:9: error: this is not JSON");
  EXPECT_EQ(error_of("{\"tool\": \"omnium\""), "r.json:1:18: error: this is not JSON");
  EXPECT_EQ(error_of("{}"), "r.json:1:1: error: tool: expected a string, got nothing");
  EXPECT_EQ(error_of("{\"tool\":\"grep\"}"),
            "r.json:1:1: error: tool: expected \"omnium\", got \"grep\"");
  EXPECT_EQ(error_of("{\"tool\":1e999}"), "r.json:1:1: error: this is not JSON");
}

void render_everywhere(const StoredReports& stored) {
  for (const report::Format& format : report::all_formats()) {
    support::StringSink out;
    EXPECT_TRUE(format.render(stored.reports(), {}, out)) << format.name;
  }
}

// Every value of a stored result replaced by every kind of value, one at a time.
TEST(StoredResult, WrongValuesAreNamed) {
  const Trace trace = with_places(figure(kBank));
  const auto good = nlohmann::json::parse(json_of(report_of(trace)));
  const nlohmann::json others[] = {nullptr,
                                   true,
                                   -1,
                                   7,
                                   1e300,
                                   "x",
                                   nlohmann::json::array(),
                                   nlohmann::json::array({1}),
                                   nlohmann::json::object({{"a", 1}})};
  std::size_t refused = 0;
  const auto flat = good.flatten();
  for (auto leaf = flat.begin(); leaf != flat.end(); ++leaf) {
    for (const auto& other : others) {
      auto wrong = good;
      for (nlohmann::json::json_pointer at(leaf.key()); !at.empty(); at.pop_back()) {
        wrong[at] = other;
        const auto stored = StoredReports::parse(wrong.dump(), "r.json");
        if (stored) {
          render_everywhere(*stored);
        } else {
          EXPECT_NE(stored.error().message.find(": expected "), std::string::npos)
              << stored.error().message;
          ++refused;
        }
      }
    }
  }
  EXPECT_GT(refused, 1000u);
}

TEST(StoredResult, NestingHasNoLimit) {
  const std::string deep(200'000, '[');
  EXPECT_EQ(error_of("{\"tool\":" + deep + std::string(deep.size(), ']') + "}"),
            "r.json:1:1: error: tool: expected a string, got array");
}

}  // namespace
}  // namespace omnium::test
