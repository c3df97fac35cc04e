// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The figures and examples of Wang and Stoller, and their traces judged by every interleaving.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "decode/open.h"
#include "tests/predict/predicting.h"
#include "trace/trace.h"

namespace omnium::test {
namespace {

bool atomic(const Trace& trace, Method method, Atomicity atomicity = Atomicity::kConflict) {
  return run_method(trace, method, atomicity).atomic();
}

// Figure 1: size() and toArray() are synchronized, the constructor is not.
TEST(WangStoller, VectorConstructorIsNotAtomic) {
  const Trace trace =
      figure(R"(
      T1: begin(Vector)  acq(v1) r(count) rel(v1)  acq(v1) r(count) r(data) rel(v1)  end
      T2: )"
             "                                                                              "
             R"(begin(removeAll) acq(v1) w(count) w(data) rel(v1) end )");
  for (const Atomicity kind : {Atomicity::kConflict, Atomicity::kView}) {
    const auto result = run_method(trace, Method::kCommitNode, kind);
    ASSERT_EQ(result.undecided.size(), 1u);
    const predict::Warning& warning = result.undecided[0];
    EXPECT_EQ(trace.names.labels.name(warning.transaction.label.v), "Vector");
    const std::vector<std::pair<EventIndex, EventIndex>> both_blocks = {{1, 3}, {4, 7}};
    EXPECT_EQ(warning.commit_nodes, both_blocks);
    ASSERT_EQ(warning.partners.size(), 1u);
    EXPECT_EQ(trace.names.labels.name(warning.partners[0].label.v), "removeAll");
  }
  EXPECT_FALSE(atomic(trace, Method::kBlock));
  EXPECT_FALSE(atomic(trace, Method::kReduction));
}

// Section 2: "not conflict-atomic; but ... view-atomic".
TEST(WangStoller, TwoWritesAgainstAWrite) {
  const Trace trace = figure(R"(
      T1: begin(t1) w(x) w(x) end
      T2:                         begin(t2) w(x) end )");
  EXPECT_FALSE(atomic(trace, Method::kCommitNode));
  EXPECT_TRUE(atomic(trace, Method::kCommitNode, Atomicity::kView));
  EXPECT_TRUE(atomic(trace, Method::kBlock));
}

// Section 6.1: conflict-atomic "but wrongly reported to be non-atomic by the reduction theorem".
TEST(WangStoller, ReadAndWriteAgainstARead) {
  const Trace trace = figure(R"(
      T1: begin(t1) r(x) w(x) end
      T2:                         begin(t2) r(x) end )");
  EXPECT_TRUE(atomic(trace, Method::kCommitNode));
  EXPECT_TRUE(atomic(trace, Method::kCommitNode, Atomicity::kView));
  EXPECT_TRUE(atomic(trace, Method::kBlock));
  EXPECT_FALSE(atomic(trace, Method::kReduction));
}

// Figure 7: two commit nodes in t1, but no cycle through both (theorems 4.3 and 4.6).
TEST(WangStoller, TwoCommitNodesWithoutACycle) {
  const Trace trace = figure(R"(
      T1: begin(t1) w(x) w(y) end
      T2:                         begin(t2) r(x) end
      T3:                                            begin(t3) r(y) end )");
  EXPECT_TRUE(atomic(trace, Method::kCommitNode));
  EXPECT_TRUE(atomic(trace, Method::kCommitNode, Atomicity::kView));
}

// Theorem 4.3 as printed forgets program order: t1 -> t2 -> t3 -> t1, though t2 and t3 share
// nothing.
TEST(WangStoller, ProgramOrderClosesACycle) {
  EXPECT_FALSE(atomic(figure(R"(
      T1: begin(t1) w(x) r(y) end
      T2:                         begin(t2) r(x) end begin(t3) w(y) end )"),
                      Method::kCommitNode));
  EXPECT_TRUE(atomic(figure(R"(
      T1: begin(t1) w(x) r(y) end
      T2:                         begin(t3) w(y) end begin(t2) r(x) end )"),
                     Method::kCommitNode));
}

// Figure 5 would join both writes of the block to the lone one; no read can tell them apart.
TEST(WangStoller, WritesThatNobodyCanTellApart) {
  const Trace trace = figure(R"(
      T1: begin(t1) acq(l) w(x) w(x) rel(l) end
      T2:                                       begin(t2) w(x) end
      T3:                                                          begin(t3) acq(l) r(x) rel(l) end
  )");
  EXPECT_TRUE(atomic(trace, Method::kCommitNode, Atomicity::kView));
  EXPECT_FALSE(atomic(trace, Method::kCommitNode));
}

// Section 3.3: a block that contains a commit node is none.
TEST(WangStoller, ACommitNodeContainsNoOther) {
  const Trace trace = figure(R"(
      T1: begin(t1) acq(l) r(y) w(x) rel(l) end
      T2:                                       begin(t2) acq(l) w(y) rel(l) end
      T3:                                                                        begin(t3) r(x) end
  )");
  EXPECT_TRUE(atomic(trace, Method::kCommitNode));
}

// Improvements of reduction: thread-local and protected locks, blocks without shared accesses.
TEST(WangStoller, LocksThatMoveBothWays) {
  EXPECT_TRUE(atomic(figure(R"(
      T1: begin(t1) acq(g) acq(l) w(x) rel(l) acq(l) w(x) rel(l) rel(g) end
      T2:            )"
                            "                                                       "
                            R"(begin(t2) acq(g) acq(l) w(x) rel(l) rel(g) end )"),
                     Method::kReduction));
  EXPECT_TRUE(atomic(figure(R"(
      T1: begin(t1) acq(l) r(z) rel(l) acq(l) w(x) rel(l) end
      T2:                                                     begin(t2) acq(l) r(z) w(x) rel(l) end
  )"),
                     Method::kReduction));
}

TEST(WangStoller, LocksOutOfOrderAreNamed) {
  const Trace trace = figure(R"(
      T1: begin(t1) acq(l) acq(m) w(x) rel(l) w(x) rel(m) end
      T2: )"
                             "                                                       "
                             R"(begin(t2) acq(l) r(x) rel(l) end acq(m) rel(m) )");
  predict::PredictOptions options;
  const auto prediction = predict::predict(loaded(trace), options);
  EXPECT_FALSE(prediction.assumptions.nested_locks);
  EXPECT_FALSE(prediction.assumptions.outside_units_lock_free);
  ASSERT_EQ(prediction.unnested.size(), 1u);
  EXPECT_EQ(prediction.unnested[0].release, 4u);
  EXPECT_FALSE(prediction.methods[0].atomic());
}

TEST(WangStoller, TracesOfThePaper) {
  namespace fs = std::filesystem;
  std::size_t seen = 0;
  for (const auto& entry :
       fs::directory_iterator(fs::path(OMNIUM_SOURCE_DIR) / "tests/paper/traces")) {
    const std::string path = entry.path().string();
    if (!path.ends_with(".predict.json")) continue;
    const auto truth = nlohmann::json::parse(std::ifstream(path));
    auto source = open_trace(path.substr(0, path.size() - 13) + ".std");
    ASSERT_TRUE(source) << path;
    const auto loaded = predict::load_trace(**source, nullptr);
    ASSERT_TRUE(loaded) << path;
    for (const Atomicity kind : {Atomicity::kConflict, Atomicity::kView}) {
      predict::PredictOptions options;
      options.methods = {Method::kCommitNode, Method::kReduction};
      options.atomicity = kind;
      const auto prediction = predict::predict(*loaded, options);
      const bool expected =
          truth[kind == Atomicity::kConflict ? "conflict_atomic" : "view_atomic"].get<bool>();
      EXPECT_EQ(prediction.methods[0].atomic(), expected) << path;
      EXPECT_EQ(prediction.assumptions.no_deadlock_potential,
                !truth["deadlock_possible"].get<bool>());
      EXPECT_TRUE(!prediction.methods[1].atomic() || truth["conflict_atomic"].get<bool>()) << path;
      EXPECT_TRUE(kind == Atomicity::kView || prediction.methods[0].undecided.empty()) << path;
    }
    ++seen;
  }
  EXPECT_EQ(seen, 9u);
}

}  // namespace
}  // namespace omnium::test
