// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// [Wang, Stoller 7.1] "Only index positions below a user-specified cutoff are monitored."
#include "trace/sampled_arrays.h"

#include <gtest/gtest.h>

#include "tests/support/trace_bytes.h"

namespace omnium::test {
namespace {

TEST(SampledArrays, IndicesBelowTheLimitStay) {
  EXPECT_FALSE(trace::is_beyond("count", 2));
  EXPECT_FALSE(trace::is_beyond("table[1].count", 2));
  EXPECT_TRUE(trace::is_beyond("table[2].count", 2));
  EXPECT_TRUE(trace::is_beyond("rows[0][17]", 2));
  EXPECT_FALSE(trace::is_beyond("table[i]", 0));
  EXPECT_FALSE(trace::is_beyond("[1", 0));
  EXPECT_TRUE(trace::is_beyond("operator[][3]", 2));
}

TEST(SampledArrays, OtherEventsStayAndPlacesAreTheirs) {
  const auto source = source_of(
      "T1|begin(b)|\nT1|w(a[9])|\nT1|w(a[0])|\nT1|aw(a[9])|\nT1|r(a[3])|\nT1|end|\n",
      TraceFormat::kStd);
  trace::SampledArrays sampled(*source, 3);
  std::vector<Event> events(10);
  const auto count = sampled.read(events);
  ASSERT_TRUE(count);
  ASSERT_EQ(*count, 4u);
  EXPECT_EQ(events[0].kind, Kind::kBegin);
  EXPECT_EQ(sampled.names().variables.name(events[1].object), "a[0]");
  EXPECT_EQ(events[2].kind, Kind::kAtomicWrite) << "atomic accesses say where blocks are cut";
  EXPECT_EQ(events[3].kind, Kind::kEnd);
  EXPECT_EQ(sampled.position_of(1).line, 3u);
  EXPECT_EQ(sampled.read(events).value(), 0u);
}

}  // namespace
}  // namespace omnium::test
