// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The conflict graph of Farzan & Madhusudan (section 2), with and without the edges that follow
// from others.
#include <set>

#include <gtest/gtest.h>

#include "tests/support/prose.h"
#include "tests/support/random_trace.h"
#include "tests/support/reference.h"
#include "tests/support/verdict.h"

namespace omnium::test {
namespace {

// [Section 2] "E contains an edge from tr to tr' iff there is some event e in transaction tr and
// some event e' in transaction tr' such that the e-event occurs before e' and e D e'."
TEST(ConflictGraph, HasEveryEdgeOfTheDefinition) {
  std::uint64_t direct = 0, all = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Trace trace = random_trace(seed, random_shape(seed));
    const CheckMode mode{Conflicts::kData, Waits::kKeep};
    const Reference reference(trace.events, mode);
    std::set<BlockRef> transactions;
    for (EventIndex i = 0; i < trace.events.size(); ++i) {
      if (trace.events[i].kind != Kind::kSkip) transactions.insert(reference.transaction(i));
    }
    std::uint64_t edges = 0;
    for (const BlockRef& from : transactions) {
      for (const BlockRef& to : transactions) edges += from != to && reference.edge(from, to);
    }
    const auto run_with = [&](std::string_view engine) {
      return run_engine(*find_engine(engine), trace.events, trace.names.extent(), false, 7, mode);
    };
    const EngineRun run = run_with("conflict-graph --all-edges");
    ASSERT_EQ(counter(run, "edges"), edges) << "seed " << seed << "\n" << to_std(trace);
    ASSERT_EQ(counter(run, "transactions"), transactions.size());
    all += edges;
    direct += counter(run_with("conflict-graph"), "edges");
  }
  EXPECT_LT(direct, all);
}

// [Section 3] The schedule that shows the error of others.
TEST(ConflictGraph, TheExampleOfSectionThree) {
  const Trace trace = figure(R"(
      T1: begin(t1) r(x)                                  w(x) end
      T2:                begin(t2) w(x) w(y) end
      T3:                                         begin(t3) r(y)   end)");
  EXPECT_EQ(counter(run_named("conflict-graph", trace), "edges"), 3u);
  EXPECT_EQ(counter(run_named("conflict-graph --all-edges", trace), "edges"), 3u);
}

}  // namespace
}  // namespace omnium::test
