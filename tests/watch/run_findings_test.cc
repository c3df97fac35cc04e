// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What a run has to say in the end: each bug once.
#include "watch/run_findings.h"

#include <gtest/gtest.h>

#include "tests/report/report_of.h"

namespace omnium::watch {
namespace {

// Two blocks that both write one variable and read the other: first one inside of the other, then
// each between the accesses of the other.
constexpr std::string_view kBlamed = R"(
  T1: begin(a) w(x)                                r(y) end
  T2:                 begin(b) r(x)  w(y)  end              )";
constexpr std::string_view kCycle = R"(
  T1: begin(a) w(x)                      r(y)       end
  T2:                 begin(b) w(y)            r(x)     end )";
constexpr std::string_view kOtherCycle = R"(
  T1: begin(a) w(z)                      r(y)       end
  T2:                 begin(b) w(y)            r(z)     end )";

// Accesses of a thread to a variable are in one place.
std::unique_ptr<LiveFinding> finding(std::string_view drawing, std::uint32_t number,
                                     const std::string& places = "bank.cpp") {
  auto out = std::make_unique<LiveFinding>();
  out->number = number;
  static_cast<MemoryTrace&>(out->trace) = test::figure(drawing);
  for (Event& event : out->trace.events) {
    if (!is_access(event.kind)) continue;
    const std::string_view object = out->trace.names.variables.name(event.object);
    event.loc_id = out->trace.names.locations.intern(
        fmt::format("{}:{}{}", places, 10 + event.thread_id, static_cast<int>(object[0])));
  }
  out->report = test::report_of(out->trace);
  return out;
}

report::Report report_of(const RunFindings& findings) {
  const auto counters = std::make_unique<wire::Counters>();
  return findings.report("bank", kDefaultMode, *counters);
}

TEST(RunFindings, ACycleOfTheAccessesOfACauseIsAWayOfIt) {
  for (const bool cycle_first : {false, true}) {
    RunFindings findings;
    EXPECT_TRUE(findings.add(finding(cycle_first ? kCycle : kBlamed, 1)));
    EXPECT_EQ(findings.add(finding(cycle_first ? kBlamed : kCycle, 2)), cycle_first);
    EXPECT_FALSE(findings.add(finding(kCycle, 3))) << "it is known";
    EXPECT_FALSE(findings.add(finding(kCycle, 3))) << "so is this one, told again";
    const report::Report report = report_of(findings);
    EXPECT_FALSE(report.cycle_cause.has_value());
    ASSERT_EQ(report.causes.size(), 1u);
    EXPECT_EQ(report.causes[0].count, 3u);
    EXPECT_TRUE(report.causes[0].id.starts_with("av-"));
    const std::string text = test::text_of(report);
    EXPECT_NE(text.find("Also seen: cycle of 2 transactions with b (2 times)."), std::string::npos)
        << text;
  }
}

TEST(RunFindings, AnyOtherCycleStays) {
  RunFindings findings;
  EXPECT_TRUE(findings.add(finding(kBlamed, 1)));
  EXPECT_TRUE(findings.add(finding(kOtherCycle, 2))) << "it has accesses of its own";
  const report::Report report = report_of(findings);
  EXPECT_EQ(report.causes.size(), 1u);
  EXPECT_TRUE(report.cycle_cause.has_value());
}

TEST(RunFindings, ACycleInOtherPlacesStays) {
  RunFindings findings;
  EXPECT_TRUE(findings.add(finding(kBlamed, 1)));
  EXPECT_TRUE(findings.add(finding(kCycle, 2, "shop.cpp")));
  EXPECT_TRUE(report_of(findings).cycle_cause.has_value());
}

TEST(RunFindings, ACycleAloneIsAFinding) {
  RunFindings findings;
  EXPECT_TRUE(findings.add(finding(kCycle, 1)));
  const report::Report report = report_of(findings);
  EXPECT_EQ(report.serializable, false);
  EXPECT_TRUE(report.cycle_cause.has_value());
}

// What looks like noise comes last, and only while all of it does.
TEST(RunFindings, NoiseComesLast) {
  RunFindings findings;
  findings.add(finding(R"(
      T1: begin(c) rmw(refs)           rmw(refs) end
      T2:                    rmw(refs)               )",
                       1));
  findings.add(finding(kBlamed, 2));
  EXPECT_TRUE(is_noise(report_of(findings).causes.back()));
  findings.add(finding(R"(
      T1: begin(c) ar(refs)           rmw(refs) end
      T2:                   rmw(refs)               )",
                       3));
  const report::Report report = report_of(findings);
  ASSERT_EQ(report.causes.size(), 2u);
  for (const report::Cause& cause : report.causes) EXPECT_FALSE(is_noise(cause));
}

// The stack shows what contains what, even if refinement dropped the outer function before.
TEST(RunFindings, AFunctionThatCallsAnotherFollowsFromIt) {
  constexpr std::string_view kInner = R"(
      T1: begin(take) w(v)                                r(w) end
      T2:                    begin(b) r(v)  w(w)  end              )";
  for (const bool undeclared : {false, true}) {
    RunFindings findings;
    for (const std::string_view drawing : {kBlamed, kInner}) {
      auto one = finding(drawing, drawing == kInner ? 2 : 1);
      one->by_function = undeclared;
      one->report.causes[0].stack = {{"callee", ""}, {"take", ""}, {"a", ""}, {"main", ""}};
      findings.add(std::move(one));
    }
    const report::Report report = report_of(findings);
    ASSERT_EQ(report.causes.size(), 2u);
    EXPECT_EQ(report.causes[1].block.label, undeclared ? "a" : "take");
    EXPECT_EQ(report.causes[1].follows_from, undeclared ? report.causes[0].id : "");
  }
}

std::unique_ptr<LiveFinding> refining(std::string_view drawing, std::uint32_t number) {
  auto out = finding(drawing, number);
  out->by_function = out->refines = true;
  return out;
}

TEST(RunFindings, ACycleOfFunctionsIsToldAtTheEnd) {
  RunFindings findings;
  EXPECT_FALSE(findings.add(refining(kCycle, 1))) << "a function may still be refuted";
  EXPECT_EQ(report_of(findings).serializable, false) << "as far as is known now";
  const auto told = findings.told_late();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(test::text_of(*told[0]).find("cycle of 2 transactions"), std::string::npos);
  EXPECT_TRUE(findings.told_late().empty()) << "once";
  EXPECT_TRUE(report_of(findings).cycle_cause.has_value());
}

TEST(RunFindings, ACycleOfAFunctionThatIsRefutedLaterIsNone) {
  RunFindings findings;
  findings.add(refining(kOtherCycle, 1));
  EXPECT_TRUE(findings.add(refining(kBlamed, 2))) << "it refutes a";
  EXPECT_TRUE(findings.told_late().empty());
  const report::Report report = report_of(findings);
  EXPECT_FALSE(report.cycle_cause.has_value());
  ASSERT_EQ(report.causes.size(), 1u);
  EXPECT_TRUE(report.causes[0].id.starts_with("av-"));
}

// Another function was told, by which this one is not atomic either. Or it is the work of a thread.
TEST(RunFindings, ACycleOfAFunctionThatIsNoBlockIsNone) {
  for (const std::string_view function : {"b", "c"}) {
    RunFindings findings;
    findings.add(refining(kCycle, 1));
    findings.note_not_atomic(std::string(function));
    const bool needs_it = function == "b";
    EXPECT_EQ(findings.told_late().empty(), needs_it);
    auto counters = std::make_unique<wire::Counters>();
    counters->seen[1] = 1;
    const auto report = findings.report("bank", kDefaultMode, *counters);
    EXPECT_EQ(report.serializable, needs_it) << "nothing was found, or the cycle";
    EXPECT_EQ(report.undescribed, 0u);
  }
}

}  // namespace
}  // namespace omnium::watch
