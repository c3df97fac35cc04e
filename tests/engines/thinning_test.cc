// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What is taken out of a batch is missed by nobody: an engine says the same of what is left.
#include <algorithm>
#include <tuple>

#include <gtest/gtest.h>

#include "engines/lowered_engine.h"
#include "event/well_formed.h"
#include "finding/collector.h"
#include "tests/support/random_rich_trace.h"
#include "tests/support/random_trace.h"

namespace omnium::test {
namespace {

struct Answer {
  Collector findings{Collector::Wants::kEveryInstance};
  std::vector<std::uint64_t> counters;
  std::vector<bool> silent_locks;
  std::optional<EventIndex> detected_at;
  std::size_t consumed = 0;  // events that reached the engine
};

// As on one thread up to event `thinned_from`, and then as behind a thread that reads ahead.
Answer answer_of(const Trace& trace, std::size_t batch, std::size_t thinned_from) {
  Answer out;
  LoweredEngine engine(*find_engine(kDefaultEngine), out.findings, kDefaultMode);
  WellFormed well_formed;
  std::optional<Thinning> thinning;
  std::vector<Event> events = trace.events;
  for (std::size_t at = 0; at < events.size(); at += batch) {
    const auto some = std::span(events).subspan(at, std::min(batch, events.size() - at));
    const Extent extent = trace.names.extent();
    if (at < thinned_from) {
      EXPECT_EQ(engine.consume_checked(some, at, extent, well_formed), some.size());
      out.consumed += some.size();
      continue;
    }
    if (!thinning) thinning = engine.thinning();
    thinning->begin(some, extent);
    EXPECT_FALSE(
        well_formed.check(some, trace.names, [&](const Event& event) { thinning->add(event); }));
    const auto left = some.first(thinning->finish());
    engine.consume({left, at, extent, some.size()});
    out.consumed += left.size();
  }
  engine.finish();
  for (const Counter& counter : engine.counters()) out.counters.push_back(counter.value);
  out.silent_locks = engine.lowering().locks_without_access();
  if (engine.detection()) out.detected_at = engine.detection()->at;
  return out;
}

void expect_same(const Answer& whole, const Answer& thin) {
  EXPECT_EQ(whole.counters, thin.counters);
  EXPECT_EQ(whole.silent_locks, thin.silent_locks);
  EXPECT_EQ(whole.detected_at, thin.detected_at);
  EXPECT_EQ(whole.findings.refuted(), thin.findings.refuted());
  EXPECT_EQ(whole.findings.instances(), thin.findings.instances());
  const auto &all = whole.findings.violations(), &those = thin.findings.violations();
  ASSERT_EQ(all.size(), those.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].transaction, those[i].transaction);
    EXPECT_EQ(all[i].end, those[i].end);
    EXPECT_EQ(all[i].closing, those[i].closing);
    EXPECT_EQ(all[i].refuted, those[i].refuted);
    ASSERT_EQ(all[i].witness.size(), those[i].witness.size());
    for (std::size_t step = 0; step < all[i].witness.size(); ++step) {
      EXPECT_EQ(all[i].witness[step].dependency, those[i].witness[step].dependency);
    }
  }
  ASSERT_EQ(whole.findings.cycle().has_value(), thin.findings.cycle().has_value());
  if (!whole.findings.cycle()) return;
  EXPECT_EQ(whole.findings.cycle()->closed_at, thin.findings.cycle()->closed_at);
  EXPECT_EQ(whole.findings.cycle()->window_begin, thin.findings.cycle()->window_begin);
}

TEST(Thinning, IsNotSeenInAnyAnswer) {
  std::size_t violations = 0, whole_events = 0, thin_events = 0, silent = 0;
  for (std::uint64_t seed = 0; seed < 6'000; ++seed) {
    Trace trace = seed % 2 == 0 ? random_rich_trace(seed, {5, 20, 80})
                                : unchecked_random_trace(seed, random_shape(seed));
    // Without the order of attempts, which a reader that is ahead leaves alone.
    for (Event& event : trace.events) {
      if (event.kind == Kind::kRetry) event.kind = Kind::kAtomicRead;
    }
    const std::size_t batch = 1 + seed % 97, from = seed % 3 * 10;
    const Answer whole = answer_of(trace, batch, trace.events.size());
    const Answer thin = answer_of(trace, batch, from);
    expect_same(whole, thin);
    if (HasFailure()) FAIL() << "seed " << seed;
    violations += whole.findings.violations().size();
    whole_events += whole.consumed;
    thin_events += thin.consumed;
    silent += !whole.silent_locks.empty();
  }
  EXPECT_GT(violations, 1'000u);
  EXPECT_GT(silent, 100u);
  EXPECT_LT(thin_events, whole_events - whole_events / 100);
}

// With more threads than fit into a word nothing is taken out.
TEST(Thinning, ManyThreads) {
  Trace trace;
  for (std::uint32_t t = 0; t < 100; ++t) trace.names.threads.intern("t" + std::to_string(t));
  trace.names.locks.intern("m");
  trace.names.variables.intern("x");
  trace.names.labels.intern("block");
  for (std::uint16_t t = 0; t < 100; ++t) {
    for (const Kind kind : {Kind::kBegin, Kind::kAcquire, Kind::kWrite, Kind::kRelease,
                            Kind::kAcquire, Kind::kRelease, Kind::kEnd}) {
      trace.events.push_back({kind, t, 0});
    }
  }
  const Answer whole = answer_of(trace, 64, trace.events.size()), thin = answer_of(trace, 64, 0);
  expect_same(whole, thin);
  EXPECT_EQ(thin.consumed, whole.consumed);
}

}  // namespace
}  // namespace omnium::test
