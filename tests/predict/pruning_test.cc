// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What commit-node does not suspect is violated in no admissible interleaving, on random traces
// with every operation; all of them are searched completely. A failure prints its seed:
//   OMNIUM_SEED=17 OMNIUM_TRACES=1 build/release/test-predict --gtest_filter='Pruning*'
#include <gtest/gtest.h>

#include "predict/exhaustive.h"
#include "tests/predict/predicting.h"
#include "tests/support/random_rich_trace.h"

namespace omnium::test {
namespace {

constexpr std::uint64_t kTraces = 20'000;

struct Tally {
  std::uint64_t suspects = 0, violated = 0, cut_off = 0;
};

void compare(const Trace& trace, Waits waits, Tally& tally) {
  predict::PredictOptions options;
  options.search = false;
  options.waits = waits;
  options.trees.merge_copies = false;
  const auto result = predict::predict(loaded(trace), options).methods[0];
  const predict::Recording recording(trace.events, trace.names.extent());
  predict::Exhaustive search(recording, waits);
  std::uint64_t budget = 200'000;
  std::uint64_t violated = 0;
  const bool complete = search.run(
      predict::Reads::kAtomicAsRecorded, budget, [&](const predict::Unserializable& found) {
        EXPECT_FALSE(result.undecided.empty())
            << "atomic is wrong: " << testing::PrintToString(found.order);
        if (found.cycle) return true;
        ++violated;
        EXPECT_TRUE(
            std::ranges::any_of(result.undecided,
                                [&](const predict::Warning& warning) {
                                  return warning.transaction.thread == found.transaction.thread &&
                                         warning.transaction.begin <= found.transaction.begin &&
                                         found.transaction.begin <= warning.end;
                                }))
            << "not suspected: " << found.transaction.begin << ": "
            << testing::PrintToString(found.order);
        return !testing::Test::HasFailure();
      });
  tally.suspects += result.undecided.size();
  tally.violated += violated;
  tally.cut_off += !complete;
}

void compare_all(Waits waits, const RichShape& shape) {
  const std::uint64_t first = number_from_environment("OMNIUM_SEED", 0);
  const std::uint64_t traces = number_from_environment("OMNIUM_TRACES", kTraces);
  Tally tally;
  for (std::uint64_t seed = first; seed < first + traces; ++seed) {
    const Trace trace = random_rich_trace(seed, shape);
    compare(trace, waits, tally);
    if (testing::Test::HasFailure()) {
      FAIL() << "OMNIUM_SEED=" << seed << "\n" << to_std(trace);
    }
  }
  if (first != 0 || traces < kTraces) return;
  EXPECT_EQ(tally.cut_off, 0u);
  EXPECT_GT(tally.violated, kTraces / 4);
  // A third of what is suspected is a false alarm; more would mean less precision.
  EXPECT_LT(tally.suspects * 2, tally.violated * 3);
}

TEST(Pruning, WhatIsNotSuspectedIsAtomic) { compare_all(Waits::kSplit, {4, 8, 12}); }
TEST(Pruning, WhatIsNotSuspectedIsAtomicAsPublished) { compare_all(Waits::kKeep, {4, 8, 12}); }

}  // namespace
}  // namespace omnium::test
