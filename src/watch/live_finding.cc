// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "watch/live_finding.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engines/checker.h"
#include "event/memory_trace.h"
#include "finding/explaining_steps.h"
#include "report/build.h"

namespace omnium::watch {

namespace {

// Where the refuted part of the block began, if its thread waited there.
std::uint64_t waited_pc(const FindingMessage& message) {
  std::uint64_t pc = 0;
  for (const wire::Block& block : message.blocks) {
    if (block.refuted != 0) pc = block.waited_pc;
  }
  return pc;
}

// Leaves the violation that the program speaks of: the first one of its block. False if there is
// none.
bool keep_refuted(CheckOutcome& outcome, const LiveTrace& trace) {
  auto& violations = outcome.violations;
  const auto first = std::ranges::find_if(violations, [&](const Violation& violation) {
    const BlockRef& block = blamed_block(violation);
    return block.thread == trace.thread && block.begin == trace.refuted;
  });
  if (first == violations.end()) return false;
  violations = {*first};
  return true;
}

// The block that the program names is refuted.
std::optional<CheckOutcome> check_violation(MemorySource& source, const LiveTrace& trace,
                                            const EngineEntry& engine, CheckOptions options) {
  options.every_instance = true;
  auto outcome = check_trace(source, engine, options);
  if (!outcome || outcome->serializable || !keep_refuted(*outcome, trace)) return std::nullopt;
  return std::move(*outcome);
}

// The event that the program names closes a cycle. Others that the trace may have, and blocks that
// are wrong by themselves, are findings of their own.
std::optional<CheckOutcome> check_cycle(MemorySource& source, const LiveTrace& trace,
                                        const EngineEntry& engine, const CheckOptions& options) {
  if (trace.closing == kNoEvent) return std::nullopt;
  auto outcome = check_trace(source, engine, options);
  if (!outcome || outcome->serializable) return std::nullopt;
  auto cycle = cycle_closed_at(source, trace.closing, options);
  if (!cycle || !*cycle) return std::nullopt;
  outcome->violations.clear();
  outcome->refuted.clear();
  outcome->cycle = std::move(*cycle);
  return std::move(*outcome);
}

std::unique_ptr<LiveFinding> check(LiveTrace trace, const wire::Finding& head,
                                   const std::string& program, CheckMode mode) {
  auto finding = std::make_unique<LiveFinding>();
  finding->trace = std::move(trace);
  MemorySource source(finding->trace);
  const EngineEntry& engine = *find_engine(kDefaultEngine);
  CheckOptions options;
  options.mode = {mode.conflicts, Waits::kKeep};
  auto outcome = head.increasing != 0 ? check_violation(source, finding->trace, engine, options)
                                      : check_cycle(source, finding->trace, engine, options);
  if (!outcome) return nullptr;
  finding->number = head.number;
  finding->by_function = outcome->by_function = head.by_function != 0;
  finding->refines = head.refines != 0;
  finding->report = report::report_outcome(source, program, engine, *outcome);
  finding->report.mode = mode;
  return finding;
}

}  // namespace

std::unique_ptr<LiveFinding> confirm(const FindingMessage& message, symbols::AddressSpace& memory,
                                     const std::string& program, CheckMode mode) {
  if (message.head.complete == 0) return nullptr;
  for (const Detail detail :
       {Detail::kMemoryAndMutexes, Detail::kAll, Detail::kOneEvent, Detail::kWitness}) {
    Namer namer(message, memory);
    auto trace = make_trace(message, detail, mode.conflicts, namer);
    if (!trace) continue;
    if (auto finding = check(std::move(*trace), message.head, program, mode)) {
      finding->waited_at = namer.place(waited_pc(message));
      for (report::Cause& cause : finding->report.causes) {
        cause.stack = namer.stack();
        cause.waited_location = finding->waited_at;
      }
      return finding;
    }
  }
  return nullptr;
}

}  // namespace omnium::watch
