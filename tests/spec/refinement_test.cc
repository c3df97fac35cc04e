// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// One pass with refuted blocks gives what the naive loop gives: drop the labels of transactions
// with a violation, check again, until nothing is found.
#include "spec/refinement.h"

#include <gtest/gtest.h>

#include "engines/checker.h"
#include "tests/support/random_trace.h"

namespace omnium::test {
namespace {

// With parts, the rounds keep those of one pass (docs/algorithms/refinement.md).
constexpr CheckMode kMode{Conflicts::kData, Waits::kKeep};

struct NaiveRound {
  std::set<std::string> dropped;
  std::uint64_t violations = 0;
  friend bool operator==(const NaiveRound&, const NaiveRound&) = default;
};

std::vector<NaiveRound> naive_loop(const std::vector<Trace>& traces) {
  std::vector<NaiveRound> rounds;
  Specification specification;
  do {
    NaiveRound& round = rounds.emplace_back();
    for (const Trace& trace : traces) {
      MemorySource source(trace);
      CheckOptions options;
      options.mode = kMode;
      options.specification = &specification;
      const auto outcome = check_trace(source, *find_engine("reach"), options);
      for (const Violation& violation : outcome->violations) {
        ++round.violations;
        round.dropped.emplace(trace.names.labels.name(violation.transaction.label.v));
      }
    }
    for (const std::string& label : round.dropped) specification.exclude(label);
  } while (!rounds.back().dropped.empty());
  return rounds;
}

std::vector<NaiveRound> one_pass(const std::vector<Trace>& traces) {
  Refinement refinement;
  for (const Trace& trace : traces) {
    refinement.start_trace("trace", trace.names);
    MemorySource source(trace);
    CheckOptions options;
    options.mode = kMode;
    EXPECT_TRUE(run_trace(source, *find_engine("reach"), refinement, options).has_value());
  }
  std::vector<NaiveRound> rounds;
  for (const RefinementRound& round : refinement.rounds()) {
    NaiveRound& naive = rounds.emplace_back();
    naive.violations = round.violations;
    for (const auto& dropped : round.dropped) naive.dropped.insert(dropped.label);
  }
  return rounds;
}

TEST(Refinement, EqualsTheNaiveLoop) {
  std::size_t most_rounds = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    std::vector<Trace> traces;
    for (std::uint64_t i = 0; i < 1 + seed % 3; ++i) {
      Shape shape = random_shape(seed * 10 + i);
      shape.nested = true;
      traces.push_back(random_trace(seed * 10 + i, shape));
    }
    const auto expected = naive_loop(traces);
    ASSERT_EQ(one_pass(traces), expected) << "seed " << seed;
    most_rounds = std::max(most_rounds, expected.size());
  }
  EXPECT_GE(most_rounds, 4u) << "the traces are too simple to show anything";
}

TEST(Refinement, InnerBlocksBecomeTheOutermost) {
  std::vector<Trace> traces;
  traces.push_back(figure(R"(
      T1: begin(outer) begin(inner) r(x)      w(x) end end
      T2:                                w(x)             )"));
  const auto rounds = one_pass(traces);
  ASSERT_EQ(rounds.size(), 3u);
  EXPECT_EQ(rounds[0].dropped, std::set<std::string>{"outer"});
  EXPECT_EQ(rounds[1].dropped, std::set<std::string>{"inner"});
  EXPECT_TRUE(rounds[2].dropped.empty());
}

}  // namespace
}  // namespace omnium::test
