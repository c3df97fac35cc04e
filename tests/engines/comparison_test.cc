// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Engines side by side: agreement on random traces, and that a wrong answer would be noticed.
#include "engines/comparison.h"

#include <gtest/gtest.h>

#include "tests/support/random_trace.h"

namespace omnium::test {
namespace {

std::vector<ComparedEngine> all_answers(const Trace& trace) {
  std::vector<ComparedEngine> compared;
  for (const EngineEntry& engine : all_engines()) {
    MemorySource source(trace);
    CheckOptions options;
    options.every_instance = true;
    const auto outcome = check_trace(source, engine, options);
    compared.push_back({&engine.info, answer_of(engine.info, *outcome, trace.names), "", 0});
  }
  return compared;
}

ComparedEngine& find(std::vector<ComparedEngine>& engines, std::string_view name) {
  return *std::ranges::find_if(engines, [&](auto& engine) { return engine.info->name == name; });
}

TEST(Comparison, EnginesAgree) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Trace trace = random_trace(seed, random_shape(seed));
    EXPECT_EQ(disagreements(all_answers(trace)), std::vector<std::string>{}) << "seed " << seed;
  }
}

class Disagreement : public ::testing::Test {
 protected:
  std::vector<ComparedEngine> engines_ = all_answers(figure(R"(
      T1: begin(outer) begin(inner) r(x)      w(x) end end
      T2:                                w(x)             )"));
};

TEST_F(Disagreement, OnTheVerdict) {
  find(engines_, "aerodrome").answer->serializable = true;
  EXPECT_EQ(disagreements(engines_),
            std::vector<std::string>{
                "reach and aerodrome disagree about whether the trace is serializable"});
}

TEST_F(Disagreement, AMissedTransaction) {
  find(engines_, "davida").answer->transactions.clear();
  EXPECT_EQ(disagreements(engines_).size(), 1u);
  find(engines_, "velodrome").answer->transactions.clear();
  EXPECT_EQ(disagreements(engines_).size(), 1u) << "velodrome may miss some";
}

TEST_F(Disagreement, AFalseBlame) {
  find(engines_, "velodrome").answer->transactions.insert({7, 7});
  EXPECT_EQ(
      disagreements(engines_),
      std::vector<std::string>{"reach and velodrome disagree about transactions with a violation"});
}

TEST_F(Disagreement, OnInstancesAndBlocks) {
  find(engines_, "davida").answer->instances.insert({1, 2});
  find(engines_, "velodrome").answer->refuted.insert({1, 2});
  EXPECT_EQ(disagreements(engines_).size(), 2u);
}

TEST_F(Disagreement, AnEngineThatDidNotFinishSaysNothing) {
  find(engines_, "conflict-graph").answer.reset();
  EXPECT_TRUE(disagreements(engines_).empty());
}

TEST_F(Disagreement, CountsWitnesses) {
  const EngineAnswer& reach = *find(engines_, "reach").answer;
  EXPECT_EQ(reach.witnesses, 1u);
  EXPECT_EQ(reach.distinct_witnesses, 1u);
  EXPECT_EQ(reach.refuted.size(), 2u);
}

}  // namespace
}  // namespace omnium::test
