// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/prose.h"

#include <fmt/format.h>

namespace omnium::test {

std::string show(const BlockRef& block, const Trace& trace) {
  const std::string_view thread = trace.names.threads.name(block.thread.v);
  if (!block.label.is_none()) {
    return fmt::format("{}.{}", thread, trace.names.labels.name(block.label.v));
  }
  const Event& event = trace.events[block.begin];
  switch (event.kind) {
    case Kind::kRead:
      return fmt::format("{}.r({})", thread, trace.names.variables.name(event.object));
    case Kind::kWrite:
      return fmt::format("{}.w({})", thread, trace.names.variables.name(event.object));
    case Kind::kAcquire:
      return fmt::format("{}.acq({})", thread, trace.names.locks.name(event.object));
    case Kind::kRelease:
      return fmt::format("{}.rel({})", thread, trace.names.locks.name(event.object));
    case Kind::kFork:
      return fmt::format("{}.fork({})", thread, trace.names.threads.name(event.object));
    case Kind::kJoin:
      return fmt::format("{}.join({})", thread, trace.names.threads.name(event.object));
    default: return fmt::format("{}.?", thread);
  }
}

std::string show_witness(const Violation& violation, const Trace& trace) {
  std::string text;
  BlockRef last;
  for (const WitnessStep& step : violation.witness) {
    if (text.empty()) {
      text = show(step.from, trace);
    } else if (step.from != last) {
      text += " -> " + show(step.from, trace);
    }
    text += " -> " + show(step.to, trace);
    last = step.to;
  }
  return text;
}

std::string show_witnesses(const Collector& findings, const Trace& trace) {
  std::string text;
  for (const Violation& violation : findings.violations()) {
    if (!text.empty()) text += "\n";
    text += show_witness(violation, trace);
  }
  return text;
}

std::string show_refuted(const Collector& findings, const Trace& trace) {
  std::string text;
  for (const BlockRef& block : findings.refuted()) {
    if (!text.empty()) text += " ";
    text += trace.names.labels.name(block.label.v);
  }
  return text;
}

std::string show_cycle(const Cycle& cycle, const Trace& trace) {
  std::string text;
  for (const BlockRef& transaction : cycle.transactions) {
    if (!text.empty()) text += " -> ";
    text += show(transaction, trace);
  }
  return text;
}

std::uint64_t counter(const EngineRun& run, std::string_view name) {
  for (const Counter& counter : run.counters) {
    if (counter.name == name) return counter.value;
  }
  return 0;
}

}  // namespace omnium::test
