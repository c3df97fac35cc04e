// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Where engines detect a violation [AeroDrome figures 5 to 7], and that they can stop there.
#include <span>

#include <gtest/gtest.h>

#include "engines/checker.h"
#include "tests/support/random_trace.h"
#include "tests/support/reference.h"
#include "tests/support/verdict.h"

namespace omnium::test {
namespace {

constexpr std::string_view kRho1Prime = R"(
    t1: begin(T1) w(x)                                                            r(z) end
    t2:                begin(T2) w(y) r(x) end
    t3:                                        begin(T3) r(y) w(z) end                    )";
constexpr std::string_view kRho2 = R"(
    t1: begin(T1)           w(x)           r(y) end
    t2:           begin(T2)      r(x) w(y)          end )";
constexpr std::string_view kRho3 = R"(
    t1: begin(T1)           w(x)      r(y)      end
    t2:           begin(T2)      w(y)      r(x)     end )";

CheckOutcome check(std::string_view engine, const Trace& trace, bool first = false) {
  MemorySource source(trace);
  CheckOptions options;
  options.mode = kAsPublished;
  options.first = first;
  auto outcome = check_trace(source, *find_engine(engine), options);
  EXPECT_TRUE(outcome.has_value());
  return std::move(*outcome);
}

std::optional<EventIndex> detected_at(std::string_view engine, std::string_view drawing) {
  return check(engine, figure(drawing)).detected_at;
}

// [AeroDrome examples 4 to 6] e6, e7 and e11. An engine that keeps a graph sees the cycle of rho3
// where it closes, at e6; one that looks at the end of the trace sees nothing before.
TEST(Detection, FiguresOfAerodrome) {
  for (const std::string_view engine : {"aerodrome", "aerodrome-basic"}) {
    EXPECT_EQ(detected_at(engine, kRho2), 5u) << engine;
    EXPECT_EQ(detected_at(engine, kRho3), 6u) << engine;
    EXPECT_EQ(detected_at(engine, kRho1Prime), 10u) << engine;
  }
  for (const std::string_view engine : {"velodrome", "reach", "velodrome --no-merge"}) {
    EXPECT_EQ(detected_at(engine, kRho2), 5u) << engine;
    EXPECT_EQ(detected_at(engine, kRho3), 5u) << engine;
    EXPECT_EQ(detected_at(engine, kRho1Prime), 10u) << engine;
  }
  EXPECT_EQ(detected_at("summary-graph", kRho2), 6u) << "the first end makes the self-loop";
  EXPECT_EQ(detected_at("summary-graph", kRho3), 6u);
  EXPECT_EQ(detected_at("davida", kRho2), 5u);
  EXPECT_EQ(detected_at("davida", kRho3), std::nullopt) << "no transaction has a violation";
  EXPECT_EQ(detected_at("conflict-graph", kRho2), 7u);
}

// The prefix that ends there is not serializable.
TEST(Detection, WhatWasReadUntilThenIsNotSerializable) {
  std::size_t detections = 0;
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    const Trace trace = random_trace(seed, random_shape(seed));
    for (const EngineEntry& engine : engines_and_variants()) {
      const auto at = check(engine.info.name, trace).detected_at;
      if (!at) continue;
      ++detections;
      const auto seen = std::span(trace.events).first(*at + 1);
      ASSERT_FALSE(Reference({seen.begin(), seen.end()}).verdict().serializable)
          << engine.info.name << ", seed " << seed;
    }
  }
  EXPECT_GT(detections, 1'000u);
}

// What is found first is what a check of the whole trace finds first, and nothing after it is read.
TEST(Detection, FirstStopsThere) {
  std::size_t stopped = 0;
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    const Trace trace = random_trace(seed, random_shape(seed));
    for (const EngineEntry& engine : engines_and_variants()) {
      const CheckOutcome whole = check(engine.info.name, trace);
      const CheckOutcome first = check(engine.info.name, trace, true);
      ASSERT_EQ(first.detected_at, whole.detected_at) << engine.info.name << ", seed " << seed;
      ASSERT_EQ(first.stopped, first.detected_at.has_value());
      ASSERT_EQ(first.counts.events,
                first.detected_at ? *first.detected_at + 1 : trace.events.size());
      ASSERT_LE(first.violations.size(), 1u);
      if (!first.violations.empty()) {
        ASSERT_EQ(first.violations[0].closing, whole.violations[0].closing);
      }
      stopped += first.counts.events < trace.events.size();
    }
  }
  EXPECT_GT(stopped, 1'000u);
}

}  // namespace
}  // namespace omnium::test
