// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A witness stands on its own: its events alone, written out as a trace and read again, still
// violate the same transaction.
#include <set>

#include <gtest/gtest.h>

#include "event/well_formed.h"
#include "tests/support/random_trace.h"
#include "tests/support/run.h"
#include "tests/support/trace_bytes.h"

namespace omnium::test {
namespace {

// The events of a witness with the bounds of its transaction, and the lock operations without which
// they would not be a trace: the acquire before each release, the release after each acquire.
std::set<EventIndex> events_of(const Violation& violation, const Trace& trace) {
  std::set<EventIndex> kept{violation.transaction.begin};
  if (violation.end != kNoEvent) kept.insert(violation.end);
  for (const WitnessStep& step : violation.witness) {
    kept.insert(step.dependency.source);
    kept.insert(step.dependency.sink);
  }
  const auto partner = [&](EventIndex of, Kind kind, int direction) {
    const Event& event = trace.events[of];
    for (auto at = static_cast<std::int64_t>(of) + direction;
         at >= 0 && at < static_cast<std::int64_t>(trace.events.size()); at += direction) {
      const Event& other = trace.events[static_cast<std::size_t>(at)];
      if (other.kind != kind || other.object != event.object) continue;
      if (other.thread_id == event.thread_id) kept.insert(static_cast<EventIndex>(at));
      return;
    }
  };
  for (const EventIndex index : std::set<EventIndex>(kept)) {
    if (trace.events[index].kind == Kind::kRelease) partner(index, Kind::kAcquire, -1);
    if (trace.events[index].kind == Kind::kAcquire) partner(index, Kind::kRelease, +1);
  }
  return kept;
}

// Blocks inside the transaction lose their ends if these are not kept, so only its own bounds stay
// blocks.
std::vector<Event> without_other_blocks(const std::set<EventIndex>& kept,
                                        const Violation& violation, const Trace& trace) {
  std::vector<Event> events;
  for (const EventIndex index : kept) {
    Event event = trace.events[index];
    const bool bound = index == violation.transaction.begin || index == violation.end;
    const bool block = event.kind == Kind::kBegin || event.kind == Kind::kEnd;
    if (!block || bound) events.push_back(event);
    // As the first or last event of a thread a begin or end carries a fork's or join's dependency:
    // a read of a variable of its own does so as well.
    if (block && !bound) {
      event.kind = Kind::kRead;
      event.object = trace.names.variables.size() - 1;
      events.push_back(event);
    }
  }
  return events;
}

TEST(Witness, StandsOnItsOwn) {
  std::uint64_t witnesses = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    Trace trace = random_trace(seed, random_shape(seed));
    trace.names.variables.intern("of no one");
    for (const EngineEntry& engine : engines_and_variants()) {
      if (engine.info.transactions == Promise::kNothing) continue;
      const EngineRun run = run_engine(engine, trace.events, trace.names.extent(), true);
      for (const Violation& violation : run.findings.violations()) {
        const auto events = without_other_blocks(events_of(violation, trace), violation, trace);
        const auto text = written(events, trace.names, TraceFormat::kStd);
        ASSERT_TRUE(text);
        const auto source = source_of(*text, TraceFormat::kStd);
        auto again = read_all(*source);
        ASSERT_TRUE(again);
        WellFormed checker;
        ASSERT_FALSE(checker.check(*again, source->names())) << *text;
        const EngineRun rerun =
            run_engine(*find_engine("reach"), *again, source->names().extent(), false);
        ASSERT_EQ(rerun.findings.violations().size(), 1u)
            << engine.info.name << ", seed " << seed << "\n"
            << *text << "of\n"
            << to_std(trace);
        ++witnesses;
      }
    }
  }
  EXPECT_GT(witnesses, 2'000u);
}

}  // namespace
}  // namespace omnium::test
