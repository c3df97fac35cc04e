// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Every line that a report or a command prints to be pasted is one that the parsers accept, and it
// does what it promises, whatever the label of the block is.
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/format.h"
#include "spec/specification.h"
#include "support/display.h"
#include "tests/report/report_of.h"
#include "tests/support/subprocess.h"
#include "tests/support/trace_bytes.h"
#include "triage/suppressions.h"

namespace omnium::test {
namespace {

using nlohmann::json;

// A lost update in a block with this label.
Trace lost_update_in(const std::string& label) {
  Trace trace = figure(R"(
      T1: begin(a) r(x)      w(x) end
      T2:               w(x)          )");
  trace.names.labels = {};
  trace.names.labels.append(label);
  trace.names.labels.append("");
  return trace;
}

std::string rendered(std::string_view format, const report::Report& report) {
  support::StringSink out;
  // So wide that no line is broken.
  EXPECT_TRUE(report::find_format(format)->render({&report, 1}, {{10'000, false}, "/"}, out));
  return out.text();
}

// What stands in `text` between `begin` and the end of the line or the next two blanks.
std::string piece_after(const std::string& text, const std::string& begin, std::string_view end) {
  const std::size_t at = text.find(begin);
  if (at == std::string::npos) return "";
  const std::size_t first = at + begin.size();
  return text.substr(first, text.find(end, first) - first);
}

void expect_drops(const std::string& rule, const std::string& label) {
  const ScratchDirectory scratch;
  Specification specification;
  const auto read = specification.read_file(scratch.file("pasted.spec", rule + "\n"));
  ASSERT_TRUE(read.has_value()) << read.error().to_string() << rule;
  EXPECT_FALSE(specification.atomic(label)) << rule;
  EXPECT_TRUE(specification.atomic(label + "x")) << rule;
  EXPECT_TRUE(specification.atomic("x" + label)) << rule;
}

void expect_suppresses(const std::string& line, const report::Cause& cause) {
  auto suppressions = triage::Suppressions::parse(line + "\n", "pasted.supp");
  ASSERT_TRUE(suppressions.has_value()) << suppressions.error().to_string();
  EXPECT_NE(suppressions->match(cause), nullptr) << line;
}

class PastedBack : public testing::TestWithParam<std::string> {};

TEST_P(PastedBack, LinesOfTheTextReport) {
  const std::string& label = GetParam();
  const Trace trace = lost_update_in(label);
  const report::Report report = report_of(trace);
  const std::string text = rendered("text", report);
  const std::string rule = piece_after(text, "Not meant to be atomic?  ", "  To suppress:  ");
  const bool shown = !label.empty() && label.size() <= 100;
  EXPECT_EQ(!rule.empty(), shown) << text;
  if (shown) expect_drops(rule, label);
  expect_suppresses(piece_after(text, "To suppress:  ", "\n"), report.causes[0]);
}

TEST_P(PastedBack, LinesOfTheMachineFormats) {
  const std::string& label = GetParam();
  const Trace trace = lost_update_in(label);
  const report::Report report = report_of(trace);
  const json cause = json::parse(rendered("json", report))["causes"][0];
  EXPECT_EQ(cause.contains("rule"), !label.empty());
  if (!label.empty()) expect_drops(cause["rule"], label);
  expect_suppresses(piece_after(rendered("junit", report), "To suppress:  ", "\n"),
                    report.causes[0]);
}

TEST_P(PastedBack, WhatRefineWrites) {
  const std::string& label = GetParam();
  const ScratchDirectory scratch;
  const Trace made = lost_update_in(label);
  const auto bytes = written(made.events, made.names, TraceFormat::kOmt);
  ASSERT_TRUE(bytes.has_value());
  const std::string trace = scratch.file("run.omt", *bytes);
  const std::string spec = scratch.path("written.spec");
  EXPECT_EQ(omnium({"refine", "-o", spec, trace}).status, 66);
  Specification specification;
  const auto read = specification.read_file(spec);
  ASSERT_TRUE(read.has_value()) << read.error().to_string() << read_whole(spec);
  EXPECT_EQ(specification.atomic(label), label.empty()) << "no rule names a block without a label";
  EXPECT_EQ(omnium({"check", "-s", spec, trace}).status, label.empty() ? 66 : 0);
}

INSTANTIATE_TEST_SUITE_P(Labels, PastedBack,
                         testing::Values("transfer", "", "a b", " blank at both ends ",
                                         "\"quoted\" 'it' `cmd`", "Cache<int, std::less<int>>::get",
                                         "operator<", "operator->*", "operator<<", "operator new[]",
                                         "A::operator()(int, char const*) const", "a # b", "#first",
                                         "back\\slash\\", "star*", "what?",
                                         "main::{lambda(int)#2}::operator()", "x because y",
                                         "not-atomic x",
                                         "Kn\xc3\xb6"
                                         "del::\xe5\xba\x97",
                                         "\xe2\x80\xaeright to left", "\xff\xfe", "tab\there",
                                         "line\nbreak\r", "\x1b[2J", std::string(10'000, 'n')));

}  // namespace
}  // namespace omnium::test
