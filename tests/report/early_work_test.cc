// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/early_work.h"

#include <map>
#include <numeric>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "event/well_formed.h"
#include "tests/support/environment.h"
#include "tests/support/random_rich_trace.h"
#include "tests/support/random_trace.h"

namespace omnium::test {
namespace {

std::vector<EventIndex> from(EventIndex first, EventIndex last) {
  std::vector<EventIndex> out(last - first);
  std::iota(out.begin(), out.end(), first);
  return out;
}

report::EarlyWork all_early_work(const Trace& trace) {
  return report::early_work(trace.events, from(0, trace.events.size()), {},
                            trace.names.threads.size());
}

std::string told(const Trace& trace, const std::vector<EventIndex>& order) {
  std::string out;
  for (const EventIndex index : order) {
    const Event& event = trace.events[index];
    out += fmt::format("{}{}.{}", out.empty() ? "" : " ", trace.names.threads.name(event.thread_id),
                       std_word(event.kind));
  }
  return out;
}

// T2 has finished three things before it meets f; the fourth is what matters.
TEST(EarlyWork, CompleteSectionsMove) {
  const Trace trace = figure(R"(
    T1: begin(f) acq(m) r(x) rel(m)                                                     w(x) end
    T2:                             w(p) acq(m) w(q) rel(m) begin(g) acq(m) w(x) rel(m) )");
  const report::EarlyWork early = all_early_work(trace);
  EXPECT_EQ(told(trace, early.before), "T2.w T2.acq T2.w T2.rel T2.begin");
  EXPECT_EQ(told(trace, early.after), "T1.begin T1.acq T1.r T1.rel T2.acq T2.w T2.rel T1.w T1.end");
}

TEST(EarlyWork, WhatDependsOnTheBlockStays) {
  for (const std::string_view drawing :
       {"T1: begin(f) w(p)      w(x) end\nT2:                r(p)",
        "T1: begin(f) signal(c)               w(x) end\nT2:                    await(c) w(q)",
        "T1: begin(f) fork(T2)      w(x) end\nT2:                   w(q)",
        "T1: begin(f) w(z)      join(T3)      w(x) end\nT2:                w(q)\nT3: ",
        "T1: begin(f) w(z)                   w(x) end\nT2:                ar(q) retry(q)",
        "T1: begin(f) acq(m)              w(x) end\nT2:                 busy(m) w(q)"}) {
    const Trace trace = figure(drawing);
    EXPECT_TRUE(all_early_work(trace).before.empty()) << drawing;
    EXPECT_EQ(all_early_work(trace).after.size(), trace.events.size());
  }
}

// T1 has m when f begins, so T2 can take it only after T1 gave it back inside f.
TEST(EarlyWork, ALockThatIsHeldAtTheBeginStaysTaken) {
  const Trace trace = figure(R"(
    T1: acq(m) begin(f) rel(m)                    w(x) end
    T2:                        acq(m) w(q) rel(m)          )");
  const auto order = from(1, trace.events.size());
  const std::vector<EventIndex> open = {0};
  EXPECT_TRUE(report::early_work(trace.events, order, open, 2).before.empty());
  EXPECT_EQ(report::early_work(trace.events, order, {}, 2).before.size(), 3u);
}

// Which write each read sees: by the place of the read in its thread.
std::map<EventIndex, EventIndex> reads_from(const Trace& trace,
                                            const std::vector<EventIndex>& order) {
  std::map<std::uint32_t, EventIndex> last;
  std::map<EventIndex, EventIndex> out;
  for (const EventIndex index : order) {
    const Event& event = trace.events[index];
    if (!is_access(event.kind)) continue;
    out[index] = last.contains(event.object) ? last[event.object] : kNoEvent;
    if (is_write(event.kind)) last[event.object] = index;
  }
  return out;
}

void expect_as_good(const Trace& trace, std::size_t& moved) {
  const report::EarlyWork early = all_early_work(trace);
  moved += early.before.size();
  std::vector<EventIndex> order = early.before;
  order.insert(order.end(), early.after.begin(), early.after.end());
  std::map<std::uint32_t, EventIndex> last_of_thread;
  std::vector<Event> events;
  for (const EventIndex index : order) {
    EventIndex& last = last_of_thread.try_emplace(trace.events[index].thread_id, 0).first->second;
    EXPECT_LE(last, index) << "program order\n" << to_std(trace);
    last = index;
    events.push_back(trace.events[index]);
  }
  EXPECT_EQ(reads_from(trace, order), reads_from(trace, from(0, trace.events.size())))
      << to_std(trace);
  WellFormed well_formed;
  EXPECT_FALSE(well_formed.check(events, trace.names)) << to_std(trace);
}

TEST(EarlyWork, IsAsGoodAsWhatWasFound) {
  const std::uint64_t first = number_from_environment("OMNIUM_SEED", 1);
  const std::uint64_t count = number_from_environment("OMNIUM_TRACES", 3000);
  std::size_t moved = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE(seed);
    expect_as_good(random_trace(seed, random_shape(seed)), moved);
    expect_as_good(random_rich_trace(seed), moved);
  }
  EXPECT_GE(moved, count < 3000 ? 0u : 1000u);
}

}  // namespace
}  // namespace omnium::test
