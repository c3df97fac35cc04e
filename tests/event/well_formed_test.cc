// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What is a trace and what is not (docs/semantics.md#well-formed-traces), one rule at a time; what
// is counted on the way; and which lock operations do not count.
#include "event/well_formed.h"

#include <gtest/gtest.h>

#include "tests/support/trace_bytes.h"

namespace omnium::test {
namespace {

struct Checked {
  std::string wrong;  // "" if it is a trace
  std::size_t offset = 0;
  std::vector<Event> events;
  TraceCounts counts;
  std::vector<std::string> warnings;
};

// The lines of an STD trace, without the bars at their ends.
Checked check(std::initializer_list<std::string_view> lines) {
  std::string text;
  for (const std::string_view line : lines) text.append(line).append("|\n");
  const auto source = source_of(text, TraceFormat::kStd);
  auto events = read_all(*source);
  EXPECT_TRUE(events) << text;
  Checked out;
  out.events = std::move(*events);
  WellFormed checker;
  if (const auto wrong = checker.check(out.events, source->names())) {
    out.wrong = wrong->what;
    out.offset = wrong->offset;
  }
  out.counts = checker.counts();
  out.warnings = checker.warnings(source->names());
  return out;
}

void expect_wrong(std::initializer_list<std::string_view> lines, std::string_view part) {
  const Checked checked = check(lines);
  EXPECT_NE(checked.wrong.find(part), std::string::npos) << "'" << checked.wrong << "'";
  EXPECT_EQ(checked.offset, lines.size() - 1) << part;
}

TEST(WellFormed, BlocksEndOnce) {
  expect_wrong({"T1|end(a)"}, "ends a block");
  expect_wrong({"T1|begin(a)", "T2|end(a)"}, "ends a block");
  expect_wrong({"T1|begin(a)", "T1|end(a)", "T1|end(a)"}, "ends a block");
  EXPECT_EQ(check({"T1|begin(a)", "T1|begin(b)", "T1|end(b)"}).wrong, "");
}

TEST(WellFormed, LocksAreHeldByOneThread) {
  expect_wrong({"T1|acq(m)", "T2|acq(m)"}, "lock m");
  expect_wrong({"T1|acq(m)", "T2|rel(m)"}, "lock m");
  expect_wrong({"T1|rel(m)"}, "lock m");
  expect_wrong({"T1|acq(m)", "T1|acq(m)", "T1|rel(m)", "T2|acq(m)"}, "lock m");
  EXPECT_EQ(check({"T1|acq(m)", "T1|rel(m)", "T2|acq(m)"}).wrong, "");
}

TEST(WellFormed, ThreadsActBetweenTheirForkAndTheirJoin) {
  expect_wrong({"T1|fork(T1)"}, "forks itself");
  expect_wrong({"T2|r(x)", "T1|fork(T2)"}, "forks thread T2");
  expect_wrong({"T1|fork(T2)", "T3|fork(T2)"}, "forks thread T2");
  expect_wrong({"T1|join(T2)", "T1|fork(T2)"}, "forks thread T2");
  expect_wrong({"T1|join(T2)", "T2|r(x)"}, "after it was joined");
  expect_wrong({"T1|join(T1)"}, "joins itself");
  EXPECT_EQ(check({"T1|fork(T2)", "T2|r(x)", "T1|join(T2)", "T3|join(T2)"}).wrong, "");
}

TEST(WellFormed, OnlyOutermostLockOperationsCount) {
  const Checked checked =
      check({"T1|acq(m)", "T1|acq(m)", "T1|r(x)", "T1|rel(m)", "T1|rel(m)", "T1|acq(m)"});
  ASSERT_EQ(checked.wrong, "");
  const std::vector<Kind> expected = {Kind::kAcquire, Kind::kSkip,    Kind::kRead,
                                      Kind::kSkip,    Kind::kRelease, Kind::kAcquire};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(checked.events[i].kind, expected[i]);
}

TEST(WellFormed, TheSharedSideOfALockIsHeldByReadersOnly) {
  EXPECT_EQ(check({"T1|racq(m)", "T2|racq(m)", "T1|rrel(m)", "T2|rrel(m)", "T1|acq(m)"}).wrong, "");
  expect_wrong({"T1|racq(m)", "T2|acq(m)"}, "which is held (shared) by thread T1");
  expect_wrong({"T1|acq(m)", "T2|racq(m)"}, "which is held by thread T1");
  expect_wrong({"T1|racq(m)", "T1|rel(m)"}, "of which it holds the shared side");
  expect_wrong({"T1|acq(m)", "T1|rrel(m)"}, "which it holds exclusively");
  expect_wrong({"T1|racq(m)", "T2|rrel(m)"}, "which is held (shared) by thread T1");
  const Checked inner = check({"T1|racq(m)", "T1|racq(m)", "T1|rrel(m)", "T1|rrel(m)"});
  ASSERT_EQ(inner.wrong, "");
  EXPECT_EQ(inner.events[1].kind, Kind::kSkip);
  EXPECT_EQ(inner.events[2].kind, Kind::kSkip);
  EXPECT_EQ(inner.events[3].kind, Kind::kSharedRelease);
}

TEST(WellFormed, WaitingGivesTheLockUpAsOftenAsItIsHeld) {
  EXPECT_EQ(check({"T1|acq(m)", "T1|acq(m)", "T1|wait(m)", "T2|acq(m)", "T2|rel(m)", "T1|resume(m)",
                   "T1|rel(m)", "T1|rel(m)", "T2|acq(m)"})
                .wrong,
            "");
  expect_wrong({"T1|acq(m)", "T1|wait(m)", "T1|resume(m)", "T2|acq(m)"}, "held by thread T1");
  expect_wrong({"T1|acq(m)", "T1|acq(m)", "T1|wait(m)", "T1|resume(m)", "T1|rel(m)", "T2|acq(m)"},
               "held by thread T1");
  expect_wrong({"T1|wait(m)"}, "waits with lock m, which is not held");
  expect_wrong({"T1|acq(m)", "T1|wait(m)", "T2|acq(m)", "T1|resume(m)"}, "held by thread T2");
  expect_wrong({"T1|resume(m)"}, "for which it is not waiting");
}

TEST(WellFormed, AnEndWithAnotherLabelIsAWarning) {
  const Checked other = check({"T1|begin(a)", "T1|end(b)", "T1|begin(a)", "T1|end(b)"});
  EXPECT_EQ(other.wrong, "");
  EXPECT_EQ(other.warnings,
            std::vector<std::string>{
                "event 1: thread T1 ends the block 'a' with the label 'b' (2 such ends)"});
  EXPECT_TRUE(check({"T1|begin(a)", "T1|end", "T1|begin(a)", "T1|end(a)"}).warnings.empty());
  // Deeper than what a thread keeps beside itself.
  std::string nested = "T1|begin(a)", back = "T1|end(a)";
  EXPECT_TRUE(check({nested, nested, nested, nested, nested, "T1|begin(b)", "T1|end(b)", back, back,
                     back, back, back})
                  .warnings.empty());
  EXPECT_EQ(check({nested, nested, nested, nested, nested, "T1|begin(b)", back, "T1|end(b)"})
                .warnings.size(),
            2u);
}

// Transactions are outermost blocks, and events outside of blocks that are events at all.
TEST(WellFormed, CountsWhatIsThere) {
  const Checked checked = check({"T1|begin(a)", "T1|begin(b)", "T1|r(x)", "T1|end(b)", "T1|end(a)",
                                 "T2|r(x)", "T2|acq(m)", "T2|acq(m)", "T2|rel(m)", "T2|rel(m)"});
  ASSERT_EQ(checked.wrong, "");
  EXPECT_EQ(checked.counts.events, 10u);
  EXPECT_EQ(checked.counts.blocks, 2u);
  EXPECT_EQ(checked.counts.transactions, 4u);  // a, and T2's read, outer acquire, outer release
}

// What comes after the malformed event was not looked at, and that event has left no trace.
TEST(WellFormed, AMalformedEventIsAsIfItHadNotBeenThere) {
  const Checked checked = check({"T1|r(x)", "T1|rel(m)", "T1|r(x)"});
  EXPECT_EQ(checked.offset, 1u);
  EXPECT_EQ(checked.counts.events, 1u);
}

}  // namespace
}  // namespace omnium::test
