// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/checker.h"

#include <array>
#include <chrono>

#include "finding/collector.h"
#include "order/transaction_graph.h"
#include "spec/block_filter.h"

namespace omnium {

namespace {

// Small enough to stay in the first-level cache between the stages.
constexpr std::size_t kBatchEvents = 2048;
constexpr EventIndex kProgressEvents = EventIndex{1} << 20;

using Buffer = std::array<Event, kBatchEvents>;

Error malformed(const EventSource& source, Malformed&& wrong) {
  return {source.position_of(wrong.offset), std::move(wrong.what)};
}

// The cycle again, from the part of the trace that contains it: the transactions of some cycle
// through the one of `closed_at` all begin at or after `window_begin`. Re-entrant lock operations
// need no care here: inner ones repeat dependencies that the outer ones have.
Result<std::vector<BlockRef>> find_cycle(EventSource& source, const Cycle& cycle,
                                         const Specification* specification) {
  auto at = source.seek(cycle.window_begin);
  if (!at) return tl::unexpected(at.error());
  std::optional<BlockFilter> filter;
  if (specification != nullptr) filter.emplace(*specification);
  TransactionGraph graph;
  graph.grow_to(source.names().extent());
  Buffer buffer;
  ThreadId closing_thread;
  for (EventIndex index = *at; index <= cycle.closed_at;) {
    const auto count = source.read(buffer);
    if (!count) return tl::unexpected(count.error());
    if (*count == 0) break;
    const auto events = std::span(buffer).first(*count);
    if (filter) filter->apply(events, source.names());
    for (const Event& event : events) {
      if (index > cycle.closed_at) break;
      closing_thread = event.thread();
      graph.set_now(index);
      if (index++ >= cycle.window_begin) dispatch(graph, event);
    }
  }
  return graph.cycle_through(closing_thread, cycle.closed_at);
}

}  // namespace

Result<TraceRun> run_trace(EventSource& source, const EngineEntry& engine, FindingSink& sink,
                           const CheckOptions& options) {
  const auto checker = engine.make(sink);
  WellFormed well_formed;
  std::optional<BlockFilter> filter;
  if (options.specification != nullptr) filter.emplace(*options.specification);
  Buffer buffer;
  for (EventIndex next = 0;;) {
    const auto count = source.read(buffer);
    if (!count) return tl::unexpected(count.error());
    if (*count == 0) break;
    const auto events = std::span(buffer).first(*count);
    std::optional<Malformed> wrong;
    if (filter) {
      wrong = well_formed.check(events, source.names());
      filter->apply(events, source.names());
      if (!wrong) checker->consume({events, next, source.names().extent()});
    } else {
      const std::size_t fine =
          checker->consume_checked(events, next, source.names().extent(), well_formed);
      if (fine < *count) {
        wrong = Malformed{fine, well_formed.what_is_wrong(events[fine], source.names())};
      }
    }
    if (wrong) return tl::unexpected(malformed(source, std::move(*wrong)));
    next += *count;
    if (options.progress && next / kProgressEvents != (next - *count) / kProgressEvents) {
      options.progress(next);
    }
  }
  checker->finish();
  TraceRun run{well_formed.counts(), well_formed.runs(), checker->counters()};
  for (std::uint32_t label = 0; label < run.runs.size() && filter; ++label) {
    if (!options.specification->atomic(source.names().labels.name(label))) run.runs[label] = 0;
  }
  return run;
}

Result<CheckOutcome> check_trace(EventSource& source, const EngineEntry& engine,
                                 const CheckOptions& options) {
  const auto started = std::chrono::steady_clock::now();
  Collector findings(options.every_instance);
  auto run = run_trace(source, engine, findings, options);
  if (!run) return tl::unexpected(run.error());
  CheckOutcome outcome;
  outcome.counts = run->counts;
  outcome.runs = std::move(run->runs);
  outcome.counters = std::move(run->counters);
  outcome.serializable = findings.serializable();
  outcome.instances = findings.instances();
  outcome.violations = std::move(findings).violations();
  outcome.refuted = std::move(findings).refuted();
  outcome.cycle = std::move(findings).cycle();
  if (outcome.cycle && outcome.violations.empty() && engine.info.gives_window) {
    auto transactions = find_cycle(source, *outcome.cycle, options.specification);
    if (!transactions) return tl::unexpected(transactions.error());
    outcome.cycle->transactions = std::move(*transactions);
  }
  outcome.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return outcome;
}

}  // namespace omnium
