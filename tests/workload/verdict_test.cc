// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Generated traces are serializable; with a planted violation exactly one transaction, near the
// end, is violated. Short ones are judged by the reference, long ones by the exact engines.
#include <algorithm>
#include <set>

#include "event/well_formed.h"
#include "tests/support/reference.h"
#include "tests/support/run.h"
#include "tests/workload/generated.h"

namespace omnium::test {
namespace {

std::vector<Event> checked(EventSource& source) {
  std::vector<Event> events = read_all(source);
  WellFormed checker;
  EXPECT_FALSE(checker.check(events, source.names()));
  return events;
}

std::uint64_t last_part(const WorkloadOptions& options) {
  return options.events - std::max<std::uint64_t>(options.events / 100, 64);
}

// Blocks that wait are serializable only in parts.
bool waits(std::string_view family) { return family == "atomics" || family == "waits"; }
CheckMode mode_of(std::string_view family) { return waits(family) ? kDefaultMode : kAsPublished; }

void judge_by_reference(std::string_view family, const WorkloadOptions& options, CheckMode mode) {
  SCOPED_TRACE(command(family, options));
  const auto source = make_or_fail(family, options);
  ASSERT_NE(source, nullptr);
  const Reference reference(checked(*source), mode);
  EXPECT_EQ(reference.verdict().serializable, !options.violate);
  ASSERT_EQ(reference.verdict().violating.size(), options.violate ? 1u : 0u);
  if (!options.violate) return;
  const BlockRef& block = *reference.verdict().violating.begin();
  EXPECT_GE(block.begin, last_part(options));
  EXPECT_EQ(source->names().labels.name(block.label.v), "lost_update");
}

TEST(GeneratedVerdict, ShortTracesByTheReference) {
  for (const WorkloadFamily& family : workload_families()) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      for (const std::uint32_t threads : {3u, 5u, 12u}) {
        for (const std::uint32_t locks : {1u, 2u, 9u}) {
          const std::uint32_t variables = seed % 2 == 0 ? 2 * threads + 1 : 60;
          const CheckMode mode = mode_of(family.name);
          judge_by_reference(family.name, {150, threads, variables, locks, seed, false}, mode);
        }
        // What is serializable with more conflicts, or with larger transactions, is so with fewer.
        const std::uint64_t events = waits(family.name) ? 400 : 200 + seed;
        for (const CheckMode mode :
             {mode_of(family.name), CheckMode{Conflicts::kAll, Waits::kSplit}}) {
          judge_by_reference(family.name, {events, threads, 40, 3, seed, true}, mode);
        }
      }
    }
  }
}

void judge_by_engine(const EngineEntry& engine, std::string_view family,
                     const WorkloadOptions& options) {
  SCOPED_TRACE(command(family, options) + " | " + std::string(engine.info.name));
  const auto source = make_or_fail(family, options);
  ASSERT_NE(source, nullptr);
  const std::vector<Event> events = checked(*source);
  const EngineRun run =
      run_engine(engine, events, source->names().extent(), false, 1024, mode_of(family));
  EXPECT_EQ(run.findings.serializable(), !options.violate);
  if (engine.info.transactions != Promise::kExact) return;
  const auto& violations = run.findings.violations();
  ASSERT_EQ(violations.size(), options.violate ? 1u : 0u);
  if (options.violate) {
    EXPECT_GE(violations[0].transaction.begin, last_part(options));
  }
}

TEST(GeneratedVerdict, LongTracesByTheExactEngines) {
  for (const WorkloadFamily& family : workload_families()) {
    for (const char* name : {"reach", "conflict-graph"}) {
      const EngineEntry* engine = find_engine(name);
      ASSERT_NE(engine, nullptr) << name;
      for (const bool violate : {false, true}) {
        judge_by_engine(*engine, family.name, {200'000, 8, 1'000, 16, 1, violate});
        judge_by_engine(*engine, family.name, {200'000, 64, 1'000, 16, 2, violate});
      }
    }
    for (std::uint64_t seed = 3; seed < 23; ++seed) {
      const auto threads = static_cast<std::uint32_t>(3 + seed * 7 % 40);
      judge_by_engine(*find_engine("reach"), family.name,
                      {20'000, threads, 200, 1 + threads % 9, seed, seed % 2 == 0});
    }
  }
}

// Every engine, in the four combinations of --conflicts and --waits.
TEST(GeneratedVerdict, EnginesAgreeOnBlocksThatWait) {
  std::uint64_t kept = 0;
  for (const char* family : {"atomics", "waits"}) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const WorkloadOptions options{600, 5, 12, 3, seed, seed % 2 == 0};
      SCOPED_TRACE(command(family, options));
      const auto source = make_or_fail(family, options);
      const std::vector<Event> events = checked(*source);
      for (const Conflicts conflicts : {Conflicts::kData, Conflicts::kAll}) {
        for (const Waits waits : {Waits::kSplit, Waits::kKeep}) {
          const CheckMode mode{conflicts, waits};
          const bool serializable = Reference(events, mode).verdict().serializable;
          if (waits == Waits::kSplit) {
            EXPECT_EQ(serializable, !options.violate);
          }
          kept += waits == Waits::kKeep && !serializable;
          for (const EngineEntry& engine : all_engines()) {
            const EngineRun run =
                run_engine(engine, events, source->names().extent(), false, 64, mode);
            EXPECT_EQ(run.findings.serializable(), serializable) << engine.info.name;
          }
        }
      }
    }
  }
  EXPECT_GT(kept, 20u) << "blocks that wait are interrupted";
}

// Every operation of docs/semantics.md is in some trace.
TEST(GeneratedVerdict, EveryOperationIsGenerated) {
  std::set<Kind> kinds;
  for (const char* family : {"random", "atomics", "waits"}) {
    const auto source = make_or_fail(family, {.events = 50'000});
    for (const Event& event : read_all(*source)) kinds.insert(event.kind);
  }
  EXPECT_EQ(kinds.size(), kKinds);
}

TEST(GeneratedVerdict, MoreRoundsOfForkAndJoinThanTheLastPartHolds) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    judge_by_engine(*find_engine("reach"), "forkjoin", {300'000, 8'000, 500, 4, seed, true});
  }
}

}  // namespace
}  // namespace omnium::test
