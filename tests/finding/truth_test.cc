// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Whatever a report says of a random trace is true of it: the steps of every picture are conflicts
// in the order of the trace, between the transactions that they name, and inside the blamed block.
#include <gtest/gtest.h>

#include "engines/checker.h"
#include "finding/explaining_steps.h"
#include "finding/explanation.h"
#include "tests/support/random_trace.h"

namespace omnium::test {
namespace {

// For each event, the blocks around it, outermost first; the event itself if there are none.
std::vector<std::vector<BlockRef>> blocks_around(const Trace& trace) {
  std::vector<std::vector<BlockRef>> open(trace.names.threads.size());
  std::vector<std::vector<BlockRef>> around;
  for (EventIndex i = 0; i < trace.events.size(); ++i) {
    const Event& event = trace.events[i];
    auto& stack = open[event.thread_id];
    if (event.kind == Kind::kBegin) stack.push_back({event.thread(), event.label(), i});
    around.push_back(stack);
    if (stack.empty()) around.back().push_back({event.thread(), LabelId::none(), i});
    if (event.kind == Kind::kEnd) stack.pop_back();
  }
  return around;
}

bool contains(const std::vector<BlockRef>& blocks, const BlockRef& block) {
  return std::find(blocks.begin(), blocks.end(), block) != blocks.end();
}

bool is_access(const Event& event) {
  return event.kind == Kind::kRead || event.kind == Kind::kWrite;
}

void expect_true(const WitnessStep& step, const Trace& trace,
                 const std::vector<std::vector<BlockRef>>& around) {
  const Dependency& it = step.dependency;
  ASSERT_LT(it.source, it.sink);
  const Event& source = trace.events[it.source];
  const Event& sink = trace.events[it.sink];
  EXPECT_EQ(source.thread(), it.source_thread);
  EXPECT_EQ(sink.thread(), it.sink_thread);
  EXPECT_TRUE(contains(around[it.source], step.from));
  EXPECT_TRUE(contains(around[it.sink], step.to));
  if (!is_data(it.kind)) return;
  ASSERT_TRUE(is_access(source) && is_access(sink));
  EXPECT_EQ(source.object, it.object);
  EXPECT_EQ(sink.object, it.object);
  EXPECT_EQ(source.kind == Kind::kWrite, source_writes(it.kind));
  EXPECT_EQ(sink.kind == Kind::kWrite, sink_writes(it.kind));
}

void expect_held(const Picture& picture, const Trace& trace) {
  for (const WitnessStep& step : picture.steps) {
    for (const EventIndex index : {step.dependency.source, step.dependency.sink}) {
      int depth = 0;
      for (EventIndex i = 0; i < index; ++i) {
        const Event& event = trace.events[i];
        if (event.thread_id != trace.events[index].thread_id) continue;
        if (event.object != picture.held->v) continue;
        depth += event.kind == Kind::kAcquire;
        depth -= event.kind == Kind::kRelease;
      }
      EXPECT_EQ(depth, 1);
    }
  }
}

TEST(Truth, OfRandomTraces) {
  std::size_t named = 0, held = 0, cycles = 0;
  for (std::uint64_t seed = 1; seed <= 20'000; ++seed) {
    SCOPED_TRACE(seed);
    // Half of them have few names, so that accesses under one lock meet.
    const Shape few{.events = 80, .threads = 2, .variables = 1, .locks = 1};
    const Trace trace = random_trace(seed, seed % 2 == 0 ? few : random_shape(seed));
    const auto around = blocks_around(trace);
    MemorySource source(trace);
    CheckOptions options;
    options.mode = kAsPublished;
    const auto outcome = check_trace(source, *find_engine("reach"), options);
    ASSERT_TRUE(outcome.has_value());
    const Explanation found = explain(source, outcome->violations, outcome->cycle, {});
    for (const Cause& cause : found.causes) {
      ASSERT_GE(cause.picture.steps.size(), 2u);
      const BlockRef& block = blamed_block(outcome->violations[cause.violation]);
      EXPECT_EQ(cause.picture.steps.front().from, block);
      EXPECT_EQ(cause.picture.steps.back().to, block);
      EventIndex before = 0;
      for (const WitnessStep& step : cause.picture.steps) {
        expect_true(step, trace, around);
        EXPECT_GE(step.dependency.source, before);
        before = step.dependency.sink;
      }
      named += cause.pattern.name < PatternName::kSplitSection;
      held += cause.picture.held.has_value();
      if (cause.picture.held) expect_held(cause.picture, trace);
    }
    for (const WitnessStep& step : found.cycle.steps) expect_true(step, trace, around);
    cycles += !found.cycle.steps.empty();
    if (HasFatalFailure() || HasNonfatalFailure()) return;
  }
  EXPECT_GT(named, 100u);
  EXPECT_GT(held, 0u);
  EXPECT_GT(cycles, 10u);
}

}  // namespace
}  // namespace omnium::test
