// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What reach passes over because it changed nothing before (ReachMatrix::settled) is looked at
// again as soon as it can change something.
#include <gtest/gtest.h>

#include "engines/checker.h"
#include "event/memory_trace.h"

namespace omnium::test {
namespace {

// Under T0's long block T2 -> T3 changes nothing; then T4's block reaches T2 through T1, and has to
// get on to T3 and back.
TEST(Settled, NotAfterARowReachesTheSource) {
  MemoryTrace trace;
  for (const char* name : {"T0", "T1", "T2", "T3", "T4"}) trace.names.threads.intern(name);
  trace.names.labels.intern("block");
  const auto passes = [&](std::uint16_t from, std::uint16_t to) {
    const std::uint32_t x = trace.names.variables.size();
    trace.names.variables.intern("x" + std::to_string(x));
    trace.events.push_back({Kind::kWrite, from, x});
    trace.events.push_back({Kind::kRead, to, x});
  };
  trace.events.push_back({Kind::kBegin, 0, 0});
  trace.events.push_back({Kind::kBegin, 4, 0});
  passes(0, 1);
  passes(1, 2);
  passes(2, 3);
  passes(4, 1);
  passes(2, 3);  // changes nothing
  passes(1, 2);
  passes(2, 3);
  passes(3, 4);
  MemorySource source(trace);
  const auto outcome = check_trace(source, *find_engine(kDefaultEngine), CheckOptions{});
  ASSERT_TRUE(outcome);
  EXPECT_FALSE(outcome->serializable);
  ASSERT_EQ(outcome->violations.size(), 1u);
  EXPECT_EQ(outcome->violations[0].transaction.thread.v, 4u);
  EXPECT_EQ(outcome->violations[0].witness.size(), 4u);
}

}  // namespace
}  // namespace omnium::test
