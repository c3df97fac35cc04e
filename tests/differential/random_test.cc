// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Every engine against the reference on random traces. A failure prints its seed and the trace:
//   OMNIUM_SEED=17 OMNIUM_TRACES=1 build/release/test-differential --gtest_filter='Random*'
#include <cstdlib>

#include <gtest/gtest.h>

#include "tests/support/judge.h"
#include "tests/support/random_trace.h"

namespace omnium::test {
namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST(Random, EveryEngineKeepsItsPromises) {
  const std::uint64_t first = from_environment("OMNIUM_SEED", 0);
  const std::uint64_t traces = from_environment("OMNIUM_TRACES", 100'000);
  for (std::uint64_t seed = first; seed < first + traces; ++seed) {
    const Trace trace = random_trace(seed, random_shape(seed));
    const Reference reference(trace.events);
    for (const EngineEntry& engine : all_engines()) {
      const auto wrong = judge(engine, trace, reference);
      ASSERT_FALSE(wrong) << engine.info.name << ": " << *wrong << "\nOMNIUM_SEED=" << seed << "\n"
                          << to_std(trace);
    }
  }
}

}  // namespace
}  // namespace omnium::test
