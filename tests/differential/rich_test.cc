// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Every engine against the reference on random traces with the richer operations, in all four
// combinations of --conflicts and --waits. A failure prints its seed and the trace:
//   OMNIUM_SEED=17 OMNIUM_TRACES=1 build/release/test-differential --gtest_filter='Rich*'
#include <gtest/gtest.h>

#include "tests/support/environment.h"
#include "tests/support/judge.h"
#include "tests/support/random_rich_trace.h"

namespace omnium::test {
namespace {

TEST(Rich, EveryEngineKeepsItsPromises) {
  const std::uint64_t first = number_from_environment("OMNIUM_SEED", 0);
  const std::uint64_t traces = number_from_environment("OMNIUM_TRACES", 100'000) / 4;
  std::uint64_t violated = 0, cut = 0;
  for (std::uint64_t seed = first; seed < first + traces; ++seed) {
    const Trace trace = random_rich_trace(seed);
    for (const Conflicts conflicts : {Conflicts::kData, Conflicts::kAll}) {
      std::size_t kept = 0;
      for (const Waits waits : {Waits::kKeep, Waits::kSplit}) {
        const Reference reference(trace.events, {conflicts, waits});
        for (const EngineEntry& engine : engines_and_variants()) {
          const auto wrong = judge(engine, trace, reference);
          ASSERT_FALSE(wrong) << engine.info.name << ", conflicts " << to_string(conflicts)
                              << ", waits " << to_string(waits) << ": " << *wrong
                              << "\nOMNIUM_SEED=" << seed << "\n"
                              << to_std(trace);
        }
        const std::size_t violating = reference.verdict().violating.size();
        violated += violating != 0;
        if (waits == Waits::kKeep) kept = violating;
        cut += waits == Waits::kSplit && violating != kept;
      }
    }
  }
  // The traces show what they are for: violations, and answers that depend on --waits.
  EXPECT_GT(violated, traces / 4);
  EXPECT_GT(cut, traces / 50);
}

}  // namespace
}  // namespace omnium::test
