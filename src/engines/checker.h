// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// One trace through the whole pipeline: read, check that it is well-formed, take out blocks that
// ought not to be atomic, run an engine, collect what it finds.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "engines/lowered_engine.h"
#include "engines/registry.h"
#include "event/check_mode.h"
#include "event/source.h"
#include "event/well_formed.h"
#include "finding/finding.h"
#include "spec/specification.h"

namespace omnium {

struct CheckOptions {
  CheckMode mode = kDefaultMode;
  bool every_instance = false;                    // for check_trace
  bool first = false;  // stop at the event at which the engine finds the first violation or cycle
  // For check_trace: if blocks are functions that nobody declared atomic, one violation of each.
  bool refines = false;
  bool look_through_silent_locks = false;         // for check_trace: CheckOutcome has how many
  const Specification* specification = nullptr;   // none: every block ought to be atomic
  // A thread of its own reads the trace ahead, if it is long. Nothing else changes.
  bool reads_ahead = false;
  std::function<void(EventIndex done)> progress;  // called now and then; may be empty
};

struct CheckOutcome {
  CheckMode mode = kDefaultMode;
  TraceCounts counts;
  std::vector<std::uint64_t> runs;  // by label: how often each block that ought to be atomic began
  bool serializable = true;
  std::vector<Violation> violations;  // first instance per transaction, one per function, or all
  std::uint64_t instances = 0;
  bool by_function = false;  // blocks are functions that nobody declared, and each is told once
  std::map<LabelId, std::set<LabelId>> callers;  // as Collector::callers()
  std::vector<BlockRef> refuted;
  // The last event that the engine needed to see that the trace is not serializable; none if it did
  // not see that.
  std::optional<EventIndex> detected_at;
  std::optional<double> seconds_to_first;  // until then
  bool stopped = false;                    // there: what follows in the trace was not read
  std::optional<Cycle> cycle;  // if not serializable; its transactions may be unknown
  // How many more transactions have a violation with --conflicts all, through locks under which no
  // access was recorded. They may guard what code does that is not instrumented.
  std::uint64_t through_silent_locks = 0;
  std::vector<Counter> counters;
  std::vector<std::string> warnings;  // of the trace's form
  double seconds = 0;                 // of reading and checking
};

struct TraceRun {
  TraceCounts counts;
  std::vector<std::uint64_t> runs;  // as in CheckOutcome
  std::vector<Counter> counters;
  std::vector<std::string> warnings;  // as in CheckOutcome
  bool needs_start = false;           // what an event means depends on events long before it
  std::vector<bool> silent_locks;     // as Lowering::locks_without_access()
  std::optional<Detection> detection;
};

// Feeds the whole trace to an engine that reports to `sink`.
Result<TraceRun> run_trace(EventSource& source, const EngineEntry& engine, FindingSink& sink,
                           const CheckOptions& options);

// A trace that is checked while it comes into being: nothing is read twice. So the transactions of
// a cycle without a violation are not known, unless the engine knows them.
class StreamCheck {
 public:
  // `source` is where the events come from.
  StreamCheck(EventSource& source, const EngineEntry& engine, const CheckOptions& options);
  ~StreamCheck();

  // The events behind those that it was fed before. What is malformed: no verdict then.
  std::optional<Malformed> feed(std::span<const Event> events);
  // Has the engine seen that the trace is not serializable?
  bool has_detected() const;
  const EngineEntry& engine() const { return engine_; }
  // The trace is over.
  CheckOutcome finish();

 private:
  struct State;
  const EngineEntry& engine_;
  std::unique_ptr<State> state_;
};

// A shortest cycle through the transaction of an event that the trace closes there or before; none
// if there is none. For traces without failed attempts.
Result<std::optional<Cycle>> cycle_closed_at(EventSource& source, EventIndex closing,
                                             const CheckOptions& options);

// The same with everything collected. An error of the input, or malformed: no verdict then.
Result<CheckOutcome> check_trace(EventSource& source, const EngineEntry& engine,
                                 const CheckOptions& options);

}  // namespace omnium
