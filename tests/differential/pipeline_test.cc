// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The whole way of `omnium check`, for every engine: events as a file has them, checked on their
// way, in several batches, and the cycle looked up afterwards. What it says must be what the engine
// says that is fed by hand, and what the reference says of the cycle.
#include <algorithm>

#include <gtest/gtest.h>

#include "engines/checker.h"
#include "event/memory_trace.h"
#include "event/well_formed.h"
#include "tests/support/random_trace.h"
#include "tests/support/reference.h"
#include "tests/support/run.h"
#include "workload/workload.h"

namespace omnium::test {
namespace {

std::vector<BlockRef> transactions_of(const std::vector<Violation>& violations) {
  std::vector<BlockRef> transactions;
  for (const Violation& violation : violations) transactions.push_back(violation.transaction);
  return transactions;
}

CheckOutcome check(const EngineEntry& engine, std::span<const Event> events, const Names& names) {
  MemorySource source(events, names);
  CheckOptions options;
  options.mode = kAsPublished;  // what engines see by hand, and what the reference decides
  options.every_instance = true;
  auto outcome = check_trace(source, engine, options);
  EXPECT_TRUE(outcome) << engine.info.name;
  return outcome ? std::move(*outcome) : CheckOutcome{};
}

void expect_same(const EngineRun& by_hand, const CheckOutcome& outcome) {
  EXPECT_EQ(outcome.serializable, by_hand.findings.serializable());
  EXPECT_EQ(outcome.instances, by_hand.findings.instances());
  EXPECT_EQ(outcome.refuted, by_hand.findings.refuted());
  EXPECT_EQ(transactions_of(outcome.violations), transactions_of(by_hand.findings.violations()));
  ASSERT_EQ(outcome.cycle.has_value(), by_hand.findings.cycle().has_value());
  if (outcome.cycle) {
    EXPECT_EQ(outcome.cycle->closed_at, by_hand.findings.cycle()->closed_at);
  }
}

// The transactions that `check` adds to the cycle of an engine that only knows a window.
void expect_cycle(const CheckOutcome& outcome, const Reference& reference) {
  const auto& cycle = outcome.cycle->transactions;
  ASSERT_GE(cycle.size(), 2u);
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    EXPECT_TRUE(reference.edge(cycle[i], cycle[(i + 1) % cycle.size()])) << i;
  }
}

std::vector<Event> checked(std::vector<Event> events, const Names& names) {
  WellFormed checker;
  EXPECT_FALSE(checker.check(events, names));
  return events;
}

TEST(Pipeline, RandomTracesWithReentrantLocks) {
  std::uint64_t looked_up = 0, skipped = 0;
  for (std::uint64_t seed = 0; seed < 3'000; ++seed) {
    const Trace written = unchecked_random_trace(seed, random_shape(seed));
    const auto events = checked(written.events, written.names);
    const Reference reference(events);
    skipped += static_cast<std::uint64_t>(std::ranges::count(events, Kind::kSkip, &Event::kind));
    for (const EngineEntry& engine : engines_and_variants()) {
      SCOPED_TRACE(testing::Message() << engine.info.name << ", seed " << seed);
      const CheckOutcome outcome = check(engine, written.events, written.names);
      expect_same(run_engine(engine, events, written.names.extent(), true), outcome);
      if (outcome.cycle && outcome.violations.empty() && engine.info.gives_window) {
        expect_cycle(outcome, reference);
        ++looked_up;
      }
      if (HasFailure()) FAIL() << to_std(written);
    }
  }
  EXPECT_GT(looked_up, 15u) << "too few cycles without a violating transaction";
  EXPECT_GT(skipped, 1'000u) << "too few re-entrant locks";
}

// Longer than a few batches of `check`, so that event indices have to go on from one to the next.
TEST(Pipeline, LongTraces) {
  constexpr std::size_t kEvents = 10'000;
  for (const WorkloadFamily& family : workload_families()) {
    const auto source = make_workload(family.name, {kEvents, 6, 40, 5, 1, true});
    ASSERT_TRUE(source) << family.name;
    const Names& names = (*source)->names();
    std::vector<Event> written(kEvents);
    const auto count = (*source)->read(written);
    ASSERT_TRUE(count);
    ASSERT_EQ(*count, kEvents);
    const auto events = checked(written, names);
    for (const EngineEntry& engine : engines_and_variants()) {
      SCOPED_TRACE(testing::Message() << engine.info.name << ", " << family.name);
      const CheckOutcome outcome = check(engine, written, names);
      expect_same(run_engine(engine, events, names.extent(), true), outcome);
      EXPECT_EQ(outcome.counts.events, kEvents);
    }
  }
}

}  // namespace
}  // namespace omnium::test
