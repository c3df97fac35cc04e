// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What is a trace and what is not (docs/semantics.md), one rule at a time; what is counted on the
// way; and which lock operations do not count.
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

// Transactions are outermost blocks, and events outside of blocks that are events at all.
TEST(WellFormed, CountsWhatIsThere) {
  const Checked checked =
      check({"T1|begin(a)", "T1|begin(b)", "T1|r(x)", "T1|end(b)", "T1|end(a)", "T2|r(x)",
             "T2|acq(m)", "T2|acq(m)", "T2|rel(m)", "T2|rel(m)"});
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
