// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Larger random traces against the reference: more than 64 and more than 128 blocks open at a time,
// where sets of open transactions take several words, and many variables, where cycles close late.
#include <gtest/gtest.h>

#include "tests/support/judge.h"
#include "tests/support/random_trace.h"
#include "tests/support/verdict.h"

namespace omnium::test {
namespace {

// How many of the traces are serializable.
std::uint64_t judge_all(const Shape& shape, std::uint64_t traces) {
  std::uint64_t serializable = 0;
  for (std::uint64_t seed = 0; seed < traces; ++seed) {
    const Trace trace = random_trace(seed, shape);
    const Reference reference(trace.events);
    serializable += reference.verdict().serializable;
    for (const EngineEntry& engine : engines_and_variants()) {
      const auto wrong = judge(engine, trace, reference);
      EXPECT_FALSE(wrong) << engine.info.name << ": " << *wrong << "\nseed " << seed << "\n"
                          << to_std(trace);
      if (wrong) return serializable;
    }
  }
  return serializable;
}

TEST(Wide, ManyThreads) {
  for (const std::uint32_t threads : {100u, 200u}) {
    Shape shape;
    shape.events = threads * 5 / 2;
    shape.threads = threads;
    shape.variables = threads;
    shape.locks = 20;
    shape.outside_percent = 0;
    shape.fork_join = false;
    constexpr std::uint64_t kTraces = 20;
    const std::uint64_t serializable = judge_all(shape, kTraces);
    EXPECT_GT(serializable, 0u) << threads;
    EXPECT_LT(serializable, kTraces) << threads;
    const Trace trace = random_trace(0, shape);
    for (const std::string_view engine : {"aerodrome", "summary-graph"}) {
      CounterSums counters;
      counters.add(run_named(engine, trace));
      const char* widened = engine == "aerodrome" ? "clocks widened" : "sets widened";
      EXPECT_GT(counters.sums().at(widened), threads / 128) << engine;
    }
  }
}

TEST(Wide, ManyVariables) {
  Shape shape;
  shape.events = 150;
  shape.threads = 6;
  shape.variables = 150;
  const std::uint64_t serializable = judge_all(shape, 300);
  EXPECT_GT(serializable, 30u);
  EXPECT_LT(serializable, 270u);
}

}  // namespace
}  // namespace omnium::test
