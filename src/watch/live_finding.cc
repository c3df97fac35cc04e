// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "watch/live_finding.h"

#include <algorithm>
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

std::unique_ptr<LiveFinding> check(LiveTrace trace, bool increasing, const std::string& program,
                                   CheckMode mode) {
  auto finding = std::make_unique<LiveFinding>();
  finding->trace = std::move(trace);
  MemorySource source(finding->trace);
  const EngineEntry& engine = *find_engine(kDefaultEngine);
  CheckOptions options;
  options.mode = {mode.conflicts, Waits::kKeep};
  options.every_instance = increasing;
  auto outcome = check_trace(source, engine, options);
  if (!outcome || outcome->serializable) return nullptr;
  if (increasing && !keep_refuted(*outcome, finding->trace)) return nullptr;
  // The program would have told of a block that is wrong by itself.
  if (!increasing) outcome->violations.clear();
  finding->report = report::report_outcome(source, program, engine, *outcome);
  finding->report.mode = mode;
  if (!increasing && !finding->report.cycle_cause) return nullptr;
  return finding;
}

}  // namespace

std::unique_ptr<LiveFinding> confirm(const FindingMessage& message, symbols::AddressSpace& memory,
                                     const std::string& program, CheckMode mode) {
  for (const Detail detail :
       {Detail::kMemoryAndMutexes, Detail::kAll, Detail::kOneEvent, Detail::kWitness}) {
    Namer namer(message, memory);
    auto trace = make_trace(message, detail, mode.conflicts, namer);
    if (!trace) continue;
    if (auto finding = check(std::move(*trace), message.head.increasing != 0, program, mode)) {
      finding->number = message.head.number;
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
