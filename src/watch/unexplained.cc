// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include "engines/registry.h"
#include "finding/cause.h"
#include "support/place.h"
#include "watch/live_finding.h"

namespace omnium::watch {

namespace {

DependencyKind dependency_of(wire::StepKind kind) {
  switch (kind) {
    case wire::StepKind::kWriteRead: return DependencyKind::kWriteRead;
    case wire::StepKind::kReadWrite: return DependencyKind::kReadWrite;
    case wire::StepKind::kWriteWrite: return DependencyKind::kWriteWrite;
    case wire::StepKind::kReleaseAcquire: return DependencyKind::kReleaseAcquire;
    case wire::StepKind::kFork: return DependencyKind::kFork;
    case wire::StepKind::kJoin: return DependencyKind::kJoin;
    case wire::StepKind::kMeeting: return DependencyKind::kSignalAwait;
  }
  return DependencyKind::kWriteRead;
}

class Unexplained {
 public:
  Unexplained(const FindingMessage& message, symbols::AddressSpace& memory)
      : message_(message), namer_(message, memory), names_(out_->trace.names) {}

  std::unique_ptr<LiveFinding> make(const std::string& program, CheckMode mode) {
    out_->number = message_.head.number;
    out_->by_function = message_.head.by_function != 0;
    out_->refines = message_.head.refines != 0;
    report::Report& report = out_->report;
    report.path = program;
    report.mode = mode;
    report.engine = &find_engine(kDefaultEngine)->info;
    report.serializable = false;
    if (message_.head.increasing != 0) {
      add_violation(report);
    } else {
      report.cycle_cause = cycle();
      report.cycle = report.cycle_cause->partners;
      report.cycle.insert(report.cycle.begin(), report.cycle_cause->block);
    }
    return std::move(out_);
  }

 private:
  std::string_view kept(support::Interner& table, const std::string& text) {
    return table.name(table.intern(text));
  }
  std::string_view place(std::uint64_t pc) { return kept(names_.locations, namer_.place(pc)); }
  report::Block block(std::uint32_t thread, std::uint32_t label) {
    return {kept(names_.threads, namer_.thread(thread)), kept(names_.labels, namer_.label(label))};
  }
  report::Block block(const wire::Block& it) { return block(message_.head.thread, it.label); }

  // What both kinds of causes have in common.
  report::Cause cause(const wire::Block& it) {
    const wire::Step& closing = message_.steps.back();
    report::Cause out;
    out.explained = false;
    out.block = block(it);
    out.block_location = place(it.begin_pc);
    out.waited_location = place(it.waited_pc);
    out.event_location = place(closing.to_pc);
    out.stack = namer_.stack();
    out.count = 1;
    if (closing.kind != wire::StepKind::kFork && closing.kind != wire::StepKind::kJoin) {
      out.objects = {kept(names_.variables, namer_.object(closing.object, closing.to_pc))};
    }
    return out;
  }

  std::string key_of(const report::Cause& cause) {
    if (out_->by_function && cause.block.label) return function_cause_key(*cause.block.label);
    const std::string place = namer_.place_and_function(message_.steps.back().to_pc);
    const support::Place parts = support::place_of(place);
    const bool named = !cause.objects.empty() && !parts.in_library;
    return cause_key(cause.block.label,
                     {parts.function, named ? cause.objects.front() : std::string_view()});
  }

  void add_violation(report::Report& report) {
    const auto& blocks = message_.blocks;
    std::size_t innermost = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (blocks[i].refuted != 0) innermost = i;
    }
    report::Cause it = cause(blocks[innermost]);
    report::Violation violation;
    violation.transaction = block(blocks.front());
    violation.kind = dependency_of(message_.steps.back().kind);
    violation.begin_location = it.block_location;
    violation.event_location = it.event_location;
    violation.refuted = {it.block};
    for (std::size_t i = innermost; i-- > 0;) {
      if (blocks[i].refuted == 0) continue;
      it.outer.push_back(block(blocks[i]));
      violation.refuted.push_back(it.outer.back());
    }
    it.id = cause_id(key_of(it));
    report.refuted = violation.refuted;
    report.violations = {std::move(violation)};
    report.causes = {std::move(it)};
    report.instances = 1;
  }

  report::Cause cycle() {
    report::Cause out = cause(message_.blocks.front());
    out.blamed = false;
    out.pattern = "cycle of transactions";
    out.id = "ns" + cause_id(key_of(out)).substr(2);
    return out;
  }

  std::unique_ptr<LiveFinding> out_ = std::make_unique<LiveFinding>();
  const FindingMessage& message_;
  Namer namer_;
  Names& names_;
};

}  // namespace

std::unique_ptr<LiveFinding> unexplained(const FindingMessage& message,
                                         symbols::AddressSpace& memory, const std::string& program,
                                         CheckMode mode) {
  return Unexplained(message, memory).make(program, mode);
}

}  // namespace omnium::watch
