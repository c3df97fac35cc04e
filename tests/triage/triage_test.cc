// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "triage/triage.h"

#include <gtest/gtest.h>

#include "tests/report/report_of.h"
#include "triage/difference.h"

namespace omnium::test {
namespace {

using triage::Triage;

class Triaged : public testing::Test {
 protected:
  Trace bank_ = figure(kBank);
  Trace cycle_ = figure(kNoBlame);
  Trace clean_ = figure("T1: begin(a) r(x) w(x) end");
};

TEST_F(Triaged, EverythingIsNewsAtFirst) {
  Triage triage;
  for (const Trace* trace : {&bank_, &cycle_}) {
    report::Report report = report_of(*trace);
    triage.mark(report);
    EXPECT_TRUE(triage::has_news(report));
  }
  report::Report clean = report_of(clean_);
  triage.mark(clean);
  EXPECT_FALSE(triage::has_news(clean));
  EXPECT_TRUE(triage::has_news(report_of(bank_, "aerodrome")));
  EXPECT_FALSE(triage.baseline_counts());
}

TEST_F(Triaged, SuppressedIsNoNews) {
  Triage triage;
  triage.use(*triage::Suppressions::parse(
      "suppress block transfer because of that\nsuppress ns-* because of this\n", "known.supp"));
  report::Report bank = report_of(bank_), cycle = report_of(cycle_);
  triage.mark(bank);
  triage.mark(cycle);
  EXPECT_FALSE(triage::has_news(bank));
  EXPECT_FALSE(triage::has_news(cycle));
  EXPECT_EQ(bank.causes[0].marks.suppressed, "of that");
  EXPECT_EQ(cycle.cycle_cause->marks.suppressed, "of this");
  EXPECT_EQ(text_of(bank),
            "bank.std: not serializable: 1 violation with 1 cause, of which 1 suppressed\n"
            "  (11 events, 2 threads, 1 variable, 1 lock, 2 blocks, 2 transactions)\n");
}

TEST_F(Triaged, NothingFollowsFromWhatIsSuppressed) {
  Triage triage;
  triage.use(*triage::Suppressions::parse("suppress block log because it may\n", "known.supp"));
  report::Report bank = report_of(bank_);
  for (const char* label : {"log", "audit"}) {
    report::Cause inner = bank.causes[0], outer = bank.causes[0];
    inner.block.label = label;
    inner.id = std::string("av-") + label;
    outer.id = std::string("av-outer-") + label;
    outer.follows_from = inner.id;
    bank.causes.push_back(inner);
    bank.causes.push_back(outer);
  }
  triage.mark(bank);
  EXPECT_EQ(bank.causes[2].follows_from, "") << "log is suppressed";
  EXPECT_EQ(bank.causes[4].follows_from, "av-audit");
}

TEST_F(Triaged, TheBaselineIsNoNews) {
  const auto old = report::StoredReports::parse(json_of(report_of(bank_)), "old.json");
  ASSERT_TRUE(old.has_value());
  Triage triage;
  triage.use_baseline(*old);
  report::Report bank = report_of(bank_), cycle = report_of(cycle_);
  triage.mark(cycle);
  EXPECT_EQ(triage.baseline_counts()->unseen, 1u);
  triage.mark(bank);
  EXPECT_FALSE(triage::has_news(bank));
  EXPECT_TRUE(triage::has_news(cycle));
  EXPECT_EQ(bank.causes[0].marks.known, true);
  EXPECT_EQ(cycle.cycle_cause->marks.known, false);
  EXPECT_EQ(triage.baseline_counts()->known, 1u);
  EXPECT_EQ(triage.baseline_counts()->fresh, 1u);
  EXPECT_EQ(triage.baseline_counts()->unseen, 0u);
}

TEST_F(Triaged, ACauseIsToldOnce) {
  Triage triage;
  report::Report first = report_of(bank_), second = report_of(bank_);
  second.path = "second.std";
  triage.mark(first);
  triage.mark(second);
  EXPECT_NE(text_of(first).find("must come before"), std::string::npos);
  EXPECT_EQ(text_of(second).find("must come before"), std::string::npos);
  EXPECT_TRUE(text_of(second).starts_with(
      "Again av-1f3fdc3d: lost update on bal in transfer, seen once (explained above\n"
      "  for bank.std)\n"))
      << text_of(second);
  EXPECT_TRUE(triage::has_news(second));
}

TEST_F(Triaged, Difference) {
  const std::vector<report::Report> before{report_of(bank_), report_of(bank_)};
  const std::vector<report::Report> after{report_of(clean_), report_of(cycle_), report_of(bank_)};
  const auto text = [&](const auto& a, const auto& b) {
    support::StringSink out;
    render_text(triage::difference(a, b), out);
    return out.text();
  };
  EXPECT_EQ(text(before, after),
            "same   av-1f3fdc3d  transfer was not atomic (lost update on bal): deposit "
            "interfered\n"
            "new    ns-2de9401a  b and a have no serial order: cycle of 2 transactions on y and x\n"
            "0 fixed, 1 new, 1 unchanged\n");
  EXPECT_TRUE(text(after, before).ends_with("1 fixed, 0 new, 1 unchanged\n"));
  const std::vector<report::Report> unclear{report_of(bank_, "aerodrome")};
  EXPECT_TRUE(text(unclear, unclear).starts_with("new?   bank.std: not serializable (engine aero"));
  const triage::Difference same = triage::difference(before, after);
  ASSERT_EQ(same.same.size(), 1u);
  EXPECT_EQ(same.same[0].before.count, 2u);
  EXPECT_EQ(same.same[0].after.count, 1u);
}

}  // namespace
}  // namespace omnium::test
