// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// "Atomic in every interleaving" is said without reservation or not at all.
#include "report/predict_remarks.h"

#include <gtest/gtest.h>

#include "tests/support/figure.h"

namespace omnium::test {
namespace {

class PredictRemarks : public testing::Test {
 protected:
  PredictRemarks() { prediction_.methods.emplace_back(); }

  predict::MethodResult& main() { return prediction_.methods[0]; }
  report::Predicted said() const { return report::predicted(prediction_, context_); }

  // The one remark; "atomic" is not said then.
  std::string only_remark() const {
    const report::Predicted it = said();
    EXPECT_FALSE(it.atomic);
    EXPECT_EQ(it.remarks.size(), 1u);
    return it.remarks.empty() ? "" : it.remarks[0];
  }

  predict::Prediction prediction_;
  report::PredictContext context_{"run.omt", "omnium check run.omt", {}};
};

TEST_F(PredictRemarks, AtomicIfNothingIsMissing) {
  EXPECT_TRUE(said().atomic);
  EXPECT_TRUE(said().remarks.empty());
}

TEST_F(PredictRemarks, RuledOutSuspectsAreOneLineAndNoReservation) {
  main().impossible = 3;
  EXPECT_TRUE(said().atomic);
  ASSERT_EQ(said().remarks.size(), 1u);
  EXPECT_EQ(said().remarks[0], "Ruled out by complete search: 3 transactions.");
}

TEST_F(PredictRemarks, AnythingUndecided) {
  main().undecided.resize(2);
  main().undecided[0].copies = 4;
  EXPECT_EQ(only_remark(), "5 transactions were not decided within the budget (--budget).");
}

TEST_F(PredictRemarks, ViolationsOfTheRecordingAreCounted) {
  main().recorded = 1;
  EXPECT_EQ(only_remark(),
            "1 transaction is violated in the recording itself: omnium check run.omt");
}

TEST_F(PredictRemarks, ARecordingWithACycleWithoutBlame) {
  prediction_.recording_serializable = false;
  EXPECT_EQ(only_remark(), "The recording itself is not serializable: omnium check run.omt");
  main().recorded = 2;
  EXPECT_EQ(only_remark(),
            "2 transactions are violated in the recording itself: omnium check run.omt");
}

TEST_F(PredictRemarks, AMethodThatGaveUp) {
  main().complete = false;
  EXPECT_EQ(only_remark(), "The method was cut off before all pairs were compared.");
}

TEST_F(PredictRemarks, AnythingSpeculative) {
  main().perhaps_speculative = 2;
  EXPECT_EQ(only_remark(),
            "2 transactions might be interrupted if atomic reads saw other writes; --speculative "
            "looks for that.");
  context_.speculative = true;
  EXPECT_EQ(only_remark(), "2 transactions might be interrupted if atomic reads saw other writes.");
  main().perhaps_speculative = 0;
  main().speculative.resize(1);
  EXPECT_EQ(only_remark(), "1 transaction could be interrupted if atomic reads saw other writes.");
  context_.speculative = false;
  EXPECT_EQ(only_remark(),
            "1 transaction could be interrupted if atomic reads saw other writes; --speculative "
            "lists that.");
}

TEST_F(PredictRemarks, AnIncompleteRecording) {
  context_.incomplete = {"run.omt: truncated after 7 events"};
  EXPECT_EQ(only_remark(), "The recording may lack events: run.omt: truncated after 7 events.");
}

TEST_F(PredictRemarks, AProgramThatDidNotEndInOrder) {
  prediction_.open_blocks = 1;
  EXPECT_EQ(only_remark(), "1 block is open at the end: the program was cut off.");
}

TEST_F(PredictRemarks, ARecordingThatContradictsItself) {
  prediction_.recording_admissible = false;
  EXPECT_EQ(only_remark(),
            "The recording contradicts itself; what comes after that was not looked at.");
}

TEST_F(PredictRemarks, WhatTheProofDoesNotCover) {
  prediction_.assumptions.outside_units_lock_free = false;
  EXPECT_EQ(only_remark(), "The proof does not cover locks that are taken outside blocks.");
  prediction_.assumptions = {false, true, true};
  EXPECT_EQ(only_remark(), "The proof does not cover programs that could deadlock.");
  prediction_.assumptions = {true, true, false};
  EXPECT_EQ(only_remark(),
            "The proof does not cover locks that are released out of nesting order.");
}

// Where something was found, nobody asks why "atomic" is not said.
TEST_F(PredictRemarks, OfAPredictionWithWarnings) {
  main().warnings.resize(1);
  main().perhaps_speculative = 2;
  prediction_.open_blocks = 1;
  prediction_.assumptions = {false, false, false};
  EXPECT_FALSE(said().atomic);
  EXPECT_TRUE(said().remarks.empty());
  prediction_.deadlocks.cycles.resize(2);
  main().undecided.resize(1);
  const auto remarks = said().remarks;
  ASSERT_EQ(remarks.size(), 2u);
  EXPECT_EQ(remarks[0], "1 transaction was not decided within the budget (--budget).");
  EXPECT_EQ(remarks[1],
            "2 potential deadlocks (no effect on the exit status without --deadlocks).");
}

TEST_F(PredictRemarks, AnotherMethodIsNamed) {
  main().method = predict::Method::kBlock;
  main().atomicity = predict::Atomicity::kView;
  EXPECT_TRUE(said().atomic);
  ASSERT_EQ(said().remarks.size(), 1u);
  EXPECT_EQ(said().remarks[0], "Judged by view-atomicity, method block.");
}

}  // namespace
}  // namespace omnium::test
