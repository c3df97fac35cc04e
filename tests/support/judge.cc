// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/judge.h"

#include <algorithm>

#include <fmt/format.h>

#include "order/transaction_graph.h"

namespace omnium::test {

namespace {

template <class T>
bool keeps(Promise promise, const std::set<T>& said, const std::set<T>& truth) {
  switch (promise) {
    case Promise::kNothing: return said.empty();
    case Promise::kNoFalse:
      return std::includes(truth.begin(), truth.end(), said.begin(), said.end());
    case Promise::kExact: return said == truth;
  }
  return false;
}

std::string show(const BlockRef& block) {
  return fmt::format("(thread {}, begin {})", block.thread.v, block.begin);
}

std::optional<std::string> judge_step(const WitnessStep& step, const Reference& reference) {
  const Dependency& d = step.dependency;
  const auto& events = reference.events();
  if (!reference.direct_dependency(d.source, d.sink)) {
    return fmt::format("{} -> {} is no direct dependency", d.source, d.sink);
  }
  if (events[d.source].thread() != d.source_thread || events[d.sink].thread() != d.sink_thread) {
    return fmt::format("{} -> {} names the wrong threads", d.source, d.sink);
  }
  if (step.from != reference.transaction(d.source) || step.to != reference.transaction(d.sink)) {
    return fmt::format("{} -> {} names the transactions {} and {}", d.source, d.sink,
                       show(step.from), show(step.to));
  }
  return std::nullopt;
}

std::optional<std::string> judge_witness(const Violation& violation, const Reference& reference) {
  const auto& witness = violation.witness;
  if (violation.end != reference.end_of(violation.transaction)) return "it ends elsewhere";
  if (witness.empty()) return "the witness is empty";
  if (witness.back().dependency != violation.closing) return "the witness does not close";
  if (witness.front().from != violation.transaction) return "the witness starts elsewhere";
  if (witness.back().to != violation.transaction) return "the witness ends elsewhere";
  for (const WitnessStep& step : witness) {
    if (auto wrong = judge_step(step, reference)) return wrong;
  }
  for (std::size_t i = 0; i + 1 < witness.size(); ++i) {
    const Dependency& here = witness[i].dependency;
    const Dependency& next = witness[i + 1].dependency;
    if (here.sink_thread != next.source_thread || next.source < here.sink) {
      return fmt::format("the witness does not increase from {} to {}", here.sink, next.source);
    }
  }
  return std::nullopt;
}

std::optional<std::string> judge_cycle(const EngineInfo& info, const Trace& trace,
                                       const Cycle& cycle, const Reference& reference) {
  if (cycle.closed_at >= trace.events.size() || !reference.has_cycle(cycle.closed_at + 1)) {
    return fmt::format("no cycle is closed at {}", cycle.closed_at);
  }
  if (info.gives_cycle) {
    if (cycle.transactions.size() < 2) return "no cycle was given";
    for (std::size_t i = 0; i < cycle.transactions.size(); ++i) {
      const BlockRef& from = cycle.transactions[i];
      const BlockRef& to = cycle.transactions[(i + 1) % cycle.transactions.size()];
      if (!reference.edge(from, to)) {
        return fmt::format("the cycle has no edge {} -> {}", show(from), show(to));
      }
    }
  }
  if (!info.gives_window) return std::nullopt;
  // The window must be enough to find a cycle again.
  Lowering lowering(reference.mode(), true);
  TransactionGraph before, graph;
  lowering.grow(trace.names.extent(), before);
  for (EventIndex i = 0; i <= cycle.closed_at; ++i) {
    if (i == cycle.window_begin) lowering.grow(trace.names.extent(), graph);
    lowering.feed(trace.events[i], i, i < cycle.window_begin ? before : graph);
  }
  const auto found = graph.cycle_through(trace.events[cycle.closed_at].thread(), cycle.closed_at);
  if (found.empty()) {
    return fmt::format("no cycle in the window [{}, {}]", cycle.window_begin, cycle.closed_at);
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!reference.edge(found[i], found[(i + 1) % found.size()]))
      return "the window's cycle is none";
  }
  return std::nullopt;
}

std::optional<std::string> judge_findings(const EngineInfo& info, const Trace& trace,
                                          const Collector& all, const Reference& reference) {
  const ReferenceVerdict& truth = reference.verdict();
  if (info.serializable == Promise::kExact && all.serializable() != truth.serializable) {
    return fmt::format("says serializable = {}", all.serializable());
  }
  if (info.serializable != Promise::kExact && !all.serializable() &&
      (info.serializable == Promise::kNothing || truth.serializable)) {
    return "says that the trace is not serializable";
  }
  std::set<BlockRef> transactions, refuted(all.refuted().begin(), all.refuted().end());
  std::set<std::pair<EventIndex, EventIndex>> instances;
  for (const Violation& violation : all.violations()) {
    transactions.insert(violation.transaction);
    instances.insert({violation.closing.source, violation.closing.sink});
    if (auto wrong = judge_witness(violation, reference)) return wrong;
  }
  if (!keeps(info.transactions, transactions, truth.violating))
    return "wrong violating transactions";
  if (!keeps(info.instances, instances, truth.instances)) return "wrong instances";
  if (!keeps(info.blocks, refuted, truth.refuted)) return "wrong refuted blocks";
  if (refuted.size() != all.refuted().size()) return "a block was refuted twice";
  if (instances.size() != all.violations().size()) return "an instance was reported twice";
  if (!all.serializable()) return judge_cycle(info, trace, *all.cycle(), reference);
  return std::nullopt;
}

bool same(const Violation& a, const Violation& b) {
  return a.transaction == b.transaction && a.end == b.end && a.closing == b.closing &&
         a.refuted == b.refuted && a.witness.size() == b.witness.size();
}

// What is found must not depend on how events reach the engine.
bool same_findings(const Collector& a, const Collector& b) {
  if (a.serializable() != b.serializable()) return false;
  if (!a.serializable() && a.cycle()->closed_at != b.cycle()->closed_at) return false;
  return a.instances() == b.instances() && a.refuted() == b.refuted() &&
         std::ranges::equal(a.violations(), b.violations(), same);
}

}  // namespace

std::optional<std::string> judge(const EngineEntry& engine, const Trace& trace,
                                 const Reference& reference) {
  const Extent extent = trace.names.extent();
  const EngineRun all = run_engine(engine, trace.events, extent, true, 7, reference.mode());
  if (auto wrong = judge_findings(engine.info, trace, all.findings, reference)) return wrong;
  const EngineRun checked =
      run_engine_checked(engine, trace.events, extent, true, 5, reference.mode());
  if (!same_findings(all.findings, checked.findings)) return "checks make a difference";
  // Without every_instance: the first of each transaction, the same count and the same blocks.
  const EngineRun once = run_engine(engine, trace.events, extent, false, 1000, reference.mode());
  std::set<BlockRef> transactions, first;
  for (const Violation& violation : all.findings.violations()) {
    transactions.insert(violation.transaction);
  }
  for (const Violation& violation : once.findings.violations()) first.insert(violation.transaction);
  if (first != transactions || first.size() != once.findings.violations().size()) {
    return "a transaction is not reported exactly once";
  }
  if (once.findings.instances() != all.findings.instances()) return "instances are counted wrongly";
  if (once.findings.refuted() != all.findings.refuted()) return "refuted blocks depend on --all";
  return std::nullopt;
}

}  // namespace omnium::test
