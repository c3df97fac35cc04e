// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/report/report_of.h"
#include "tests/support/golden.h"

namespace omnium::test {
namespace {

using nlohmann::ordered_json;

std::vector<std::string> keys(const ordered_json& object) {
  std::vector<std::string> out;
  for (const auto& item : object.items()) out.push_back(item.key());
  return out;
}

using Keys = std::vector<std::string>;

TEST(Json, Golden) {
  const Trace trace = with_places(figure(kBank));
  const std::string text = json_of(report_of(trace));
  EXPECT_EQ(text.find('\n'), text.size() - 1);
  expect_golden("tests/report/golden/bank.json", text);
}

// The contract: other people's scripts read these.
TEST(Json, HasExactlyTheKeysOfTheContract) {
  const Trace trace = with_places(figure(kBank));
  const auto json = ordered_json::parse(json_of(report_of(trace)));
  EXPECT_EQ(keys(json), (Keys{"tool", "version", "trace", "engine", "conflicts", "waits",
                              "serializable", "detected_at", "violations", "causes", "instances",
                              "refuted", "runs", "cycle", "seconds", "peak_bytes"}));
  EXPECT_EQ(keys(json["trace"]),
            (Keys{"path", "events", "threads", "variables", "locks", "blocks", "transactions"}));
  const auto& violation = json["violations"][0];
  EXPECT_EQ(keys(violation), (Keys{"id", "transaction", "event", "source", "kind", "object",
                                   "locations", "refuted", "blamed", "pattern", "witness"}));
  EXPECT_EQ(keys(violation["transaction"]), (Keys{"thread", "label", "begin", "end"}));
  EXPECT_EQ(keys(violation["locations"]), (Keys{"begin", "source", "event"}));
  EXPECT_EQ(keys(violation["refuted"][0]), (Keys{"label", "begin"}));
  const auto& step = violation["witness"][0];
  EXPECT_EQ(keys(step), (Keys{"from", "to", "source_event", "sink_event", "kind", "object"}));
  EXPECT_EQ(keys(step["from"]), (Keys{"thread", "label", "begin"}));
  EXPECT_EQ(keys(json["refuted"][0]), (Keys{"thread", "label", "begin"}));
  const auto& cause = json["causes"][0];
  EXPECT_EQ(keys(cause), (Keys{"id", "pattern", "objects", "block", "partners", "count", "blamed",
                               "locations", "picture", "remarks", "rule"}));
  EXPECT_EQ(keys(cause["picture"]), (Keys{"sentences", "columns", "rows", "held_lock"}));
  EXPECT_EQ(keys(cause["picture"]["sentences"][0]),
            (Keys{"from", "to", "first", "second", "same_object"}));
  EXPECT_EQ(keys(cause["picture"]["sentences"][0]["first"]),
            (Keys{"event", "thread", "operation", "object", "location"}));
  EXPECT_EQ(keys(cause["picture"]["rows"][0]),
            (Keys{"column", "event", "operation", "object", "location"}));
}

TEST(Json, StatsOnRequest) {
  const Trace trace = figure(kBank);
  report::Report report = report_of(trace);
  report.with_stats = true;
  const auto json = ordered_json::parse(json_of(report));
  EXPECT_TRUE(json["stats"].contains("rule 2: instances"));
}

TEST(Json, UnaryAndEmptyLabels) {
  const Trace trace = figure(R"(
      T1: begin r(x)      w(x)
      T2:            w(x)      )");
  const auto json = ordered_json::parse(json_of(report_of(trace)));
  const auto& violation = json["violations"][0];
  EXPECT_EQ(violation["transaction"]["label"], "");
  EXPECT_TRUE(violation["transaction"]["end"].is_null());
  EXPECT_TRUE(violation["witness"][0]["to"]["label"].is_null());
  EXPECT_TRUE(violation["locations"]["begin"].is_null());
}

TEST(Json, CycleOnlyWithoutViolatingTransaction) {
  const Trace trace = figure(kNoBlame);
  const auto json = ordered_json::parse(json_of(report_of(trace)));
  EXPECT_EQ(json["serializable"], false);
  EXPECT_TRUE(json["violations"].empty());
  ASSERT_EQ(json["cycle"].size(), 2u);
  EXPECT_EQ(keys(json["cycle"][0]), (Keys{"thread", "label", "begin"}));
  const Trace bank = figure(kBank);
  EXPECT_TRUE(ordered_json::parse(json_of(report_of(bank)))["cycle"].is_null());
}

TEST(Json, WhatAnEngineCannotKnowIsNull) {
  const Trace trace = figure(kBank);
  const auto json = ordered_json::parse(json_of(report_of(trace, "conflict-graph")));
  EXPECT_EQ(json["serializable"], false);
  EXPECT_TRUE(json["instances"].is_null());
  EXPECT_TRUE(json["refuted"].is_null());
}

// davida sees violating transactions only: it must not call this trace serializable.
TEST(Json, NoVerdictThatTheEngineCannotGive) {
  const Trace trace = figure(kNoBlame);
  const auto json = ordered_json::parse(json_of(report_of(trace, "davida")));
  EXPECT_TRUE(json["serializable"].is_null());
  EXPECT_NE(text_of(report_of(trace, "davida")).find("no transaction has a violation"),
            std::string::npos);
}

TEST(Json, AnyBytesInNames) {
  Trace trace = figure(R"(
      T1: begin(a) r(x)      w(x) end
      T2:               w(x)          )");
  Names names;
  names.threads.intern("\xff\xfe");
  names.threads.intern("t\"2\\\n");
  std::string all_controls = "\x7f";
  for (char c = 0; c < ' '; ++c) all_controls += c;
  names.variables.intern(all_controls);
  names.labels.intern("\xc3(");
  names.labels.intern("");
  trace.names = std::move(names);
  const auto json = ordered_json::parse(json_of(report_of(trace)));
  const auto& violation = json["violations"][0];
  EXPECT_EQ(violation["transaction"]["thread"], "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(violation["witness"][0]["to"]["thread"], "t\"2\\\n");
  EXPECT_EQ(violation["object"], all_controls);
}

}  // namespace
}  // namespace omnium::test
