// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Every engine against the reference on random traces. A failure prints its seed and the trace:
//   OMNIUM_SEED=17 OMNIUM_TRACES=1 build/release/test-differential --gtest_filter='Random*'

#include <gtest/gtest.h>

#include "tests/support/environment.h"
#include "tests/support/judge.h"
#include "tests/support/random_trace.h"

namespace omnium::test {
namespace {

TEST(Random, EveryEngineKeepsItsPromises) {
  const std::uint64_t first = number_from_environment("OMNIUM_SEED", 0);
  const std::uint64_t traces = number_from_environment("OMNIUM_TRACES", 100'000);
  for (std::uint64_t seed = first; seed < first + traces; ++seed) {
    const Trace trace = random_trace(seed, random_shape(seed));
    const Reference reference(trace.events);
    for (const EngineEntry& engine : engines_and_variants()) {
      const auto wrong = judge(engine, trace, reference);
      ASSERT_FALSE(wrong) << engine.info.name << ": " << *wrong << "\nOMNIUM_SEED=" << seed << "\n"
                          << to_std(trace);
    }
  }
}

}  // namespace
}  // namespace omnium::test
