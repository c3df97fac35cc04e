// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The explorer against all runs, one by one. A failure prints a seed to paste:
// OMNIUM_SEED=17 OMNIUM_PROGRAMS=1 build/dev/test-model --gtest_filter='Naive.*'
#include <string>

#include <gtest/gtest.h>

#include "engines/checker.h"
#include "model/compile.h"
#include "model/counterexample.h"
#include "model/explorer.h"
#include "model/parser.h"
#include "tests/model/counterexample.h"
#include "tests/support/environment.h"
#include "tests/support/naive_model.h"
#include "tests/support/random_program.h"
#include "tests/support/reference.h"

namespace omnium::test {
namespace {

using model::Answer;

constexpr CheckMode kModes[] = {{Conflicts::kAll, Waits::kKeep},
                                {Conflicts::kAll, Waits::kSplit},
                                {Conflicts::kData, Waits::kKeep},
                                {Conflicts::kData, Waits::kSplit}};

std::string told(const NaiveVerdict& naive) {
  const auto number = [](const auto& value) {
    return value ? std::to_string(*value) : std::string("none");
  };
  return "naive: violation " + number(naive.shortest_violation) + ", fault " +
         number(naive.shortest_fault) + ", deadlock " + std::to_string(naive.deadlock);
}

void expect_like_naive(const NaiveVerdict& naive, const model::Outcome& outcome) {
  const bool violates =
      naive.shortest_violation &&
      (!naive.shortest_fault || *naive.shortest_violation <= *naive.shortest_fault);
  if (violates) {
    ASSERT_EQ(outcome.answer, Answer::kNotSerializable);
    EXPECT_EQ(outcome.run.size(), *naive.shortest_violation);
  } else if (naive.shortest_fault) {
    ASSERT_EQ(outcome.answer, Answer::kBadModel);
    EXPECT_EQ(outcome.run.size(), *naive.shortest_fault);
  } else {
    ASSERT_EQ(outcome.answer, Answer::kSerializable);
    EXPECT_EQ(outcome.deadlock, naive.deadlock);
  }
}

struct Tally {
  std::uint64_t violations = 0, faults = 0, deadlocks = 0, large = 0;
};

void compare(std::uint64_t seed, Tally& tally) {
  const std::string text = random_program(seed);
  const auto program = model::parse(text, "random.omp");
  ASSERT_TRUE(program) << program.error().to_string() << "\n" << text;
  const auto compiled = compile(*program);
  ASSERT_TRUE(compiled) << compiled.error().to_string() << "\n" << text;
  for (const CheckMode mode : kModes) {
    const NaiveVerdict naive = judge_all_runs(*program, mode, 500);
    if (!naive.complete) {
      ++tally.large;
      return;
    }
    for (const bool symmetry : {true, false}) {
      for (const bool reduction : {true, false}) {
        model::Options options;
        options.mode = mode;
        options.symmetry = symmetry;
        options.reduction = reduction;
        if (seed % 3 == 0) options.round_bytes = 100;
        options.workers = seed % 2 == 0 ? 1 : 2;
        const auto outcome = explore(*compiled, options);
        ASSERT_TRUE(outcome);
        SCOPED_TRACE(text + told(naive) + (symmetry ? ", symmetry" : "") +
                     (reduction ? ", reduction, " : ", ") + std::string(to_string(mode.conflicts)) +
                     ", " + std::string(to_string(mode.waits)));
        expect_like_naive(naive, *outcome);
        tally.violations += outcome->answer == Answer::kNotSerializable;
        tally.faults += outcome->answer == Answer::kBadModel;
        tally.deadlocks += outcome->deadlock;
        if (outcome->answer == Answer::kNotSerializable) {
          expect_violating(*compiled, *outcome, mode);
        }
      }
    }
  }
}

TEST(Naive, AnswersAreThoseOfAllRuns) {
  const std::uint64_t first = number_from_environment("OMNIUM_SEED", 1);
  const std::uint64_t wanted = number_from_environment("OMNIUM_PROGRAMS", 3000);
  Tally tally;
  std::uint64_t compared = 0;
  for (std::uint64_t seed = first; compared < wanted; ++seed) {
    const std::uint64_t large = tally.large;
    compare(seed, tally);
    compared += tally.large == large || wanted == 1;
    if (HasFailure()) {
      ADD_FAILURE() << "OMNIUM_SEED=" << seed << " OMNIUM_PROGRAMS=1";
      return;
    }
  }
  if (wanted < 1000) return;
  // Half of the programs have more runs than can be looked at one by one.
  EXPECT_LE(tally.large, wanted + wanted / 10);
  EXPECT_GT(tally.violations, wanted / 2);
  EXPECT_GT(tally.faults, wanted / 20);
  EXPECT_GT(tally.deadlocks, wanted / 20);
}

}  // namespace
}  // namespace omnium::test
