// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "model/future.h"

#include <functional>

namespace omnium::model {

namespace {

struct Reach {
  std::uint32_t first;
  std::uint32_t count;
};

// Which elements a step can mean: one if its index is a constant, else all.
Reach elements(const Code& code, std::int32_t first, std::uint32_t length, std::int32_t index) {
  const auto start = static_cast<std::uint32_t>(first);
  if (length == 0) return {start, 1};
  const Node& node = code.nodes[index];
  if (node.kind != NodeKind::kConstant) return {start, length};
  if (node.value < 0 || node.value >= length) return {start, 0};  // a fault when it is reached
  return {start + static_cast<std::uint32_t>(node.value), 1};
}

void for_each_shared(const Code& code, std::int32_t index,
                     const std::function<void(const Node&)>& visit) {
  if (index == kNone) return;
  const Node& node = code.nodes[index];
  if (node.kind == NodeKind::kShared) visit(node);
  for_each_shared(code, node.left, visit);
  for_each_shared(code, node.right, visit);
}

std::vector<std::uint32_t> successors(const Code& code, std::uint32_t pc) {
  const Step& step = code.steps[pc];
  switch (step.kind) {
    case StepKind::kHalt:
    case StepKind::kStop: return {};
    case StepKind::kJump: return {step.target};
    case StepKind::kBranch: return {pc + 1, step.target};
    case StepKind::kChoose: {
      const auto first = code.targets.begin() + step.target;
      return {first, first + step.length};
    }
    default: return {pc + 1};
  }
}

}  // namespace

Futures::Futures(const Model& model, CheckMode mode) : mode_(mode) {
  number_objects(model);
  if (too_many_) return;
  for (const Instance& thread : model.threads) code_of_thread_.push_back(thread.code);
  for (const Code& code : model.codes) {
    note_cuts(code);
    futures_.push_back(solve(code));
  }
}

void Futures::note_uses(const Code& code, std::uint32_t thread, Uses& uses) {
  const auto note = [&](std::vector<Use>& list, Reach reach, bool writes) {
    for (std::uint32_t i = reach.first; i < reach.first + reach.count; ++i) {
      list[i].threads += list[i].last != thread;
      list[i].last = thread;
      list[i].written |= writes;
    }
  };
  for (const Step& step : code.steps) {
    const bool has_object = step.kind < StepKind::kAssume;
    const Reach reach =
        has_object ? elements(code, step.object, step.length, step.index) : Reach{0, 0};
    switch (step.kind) {
      case StepKind::kRead: note(uses.cells, reach, false); break;
      case StepKind::kWrite: note(uses.cells, reach, true); break;
      case StepKind::kSignal: note(uses.signals, reach, true); break;
      case StepKind::kAwait: note(uses.awaits, reach, false); break;
      case StepKind::kBusy:
        for (std::uint32_t i = 0; i < reach.count; ++i) watched_[reach.first + i] = true;
        note(uses.locks, reach, false);
        break;
      case StepKind::kAcquire:
      case StepKind::kRelease: note(uses.locks, reach, !is_shared_side(step.event)); break;
      case StepKind::kAssume:
        for_each_shared(code, step.value, [&](const Node& node) {
          note(uses.cells, elements(code, node.first, node.length, node.left), false);
        });
        break;
      default: break;
    }
  }
}

std::int32_t Futures::number_if(bool conflicting) {
  return conflicting ? static_cast<std::int32_t>(object_count_++) : kNone;
}

void Futures::number_objects(const Model& model) {
  Uses uses;
  uses.cells.resize(model.cells.size());
  uses.locks.resize(model.lock_names.size());
  uses.signals.resize(model.channel_names.size());
  uses.awaits.resize(model.channel_names.size());
  watched_.resize(model.lock_names.size());
  for (std::uint32_t t = 0; t < model.threads.size(); ++t) note_uses(model.code_of(t), t, uses);
  for (const Use& use : uses.cells) cells_.push_back(number_if(use.threads > 1 && use.written));
  for (const Use& use : uses.locks) {
    contended_.push_back(use.threads > 1);
    locks_.push_back(
        number_if(use.threads > 1 && use.written && mode_.conflicts == Conflicts::kAll));
  }
  for (std::size_t i = 0; i < model.channel_names.size(); ++i) {
    const Use& signals = uses.signals[i];
    const Use& awaits = uses.awaits[i];
    const bool alone = signals.threads == 1 && awaits.threads == 1 && signals.last == awaits.last;
    channels_.push_back(number_if(signals.threads > 0 && awaits.threads > 0 && !alone));
  }
  too_many_ = object_count_ > kMostObjects;
}

void Futures::note_cuts(const Code& code) {
  for (std::size_t pc = 0; pc < code.steps.size(); ++pc) {
    if (code.depth[pc] == 0) continue;
    const Step& step = code.steps[pc];
    forks_in_blocks_ |= step.kind == StepKind::kFork;
    joins_cut_ |= splits() && step.kind == StepKind::kJoin;
    awaits_cut_ |= splits() && step.kind == StepKind::kAwait;
    retries_cut_ |= splits() && step.event == Kind::kRetry;
  }
}

ObjectSet Futures::objects(const std::vector<std::int32_t>& numbers, const Code& code,
                           std::int32_t first, std::uint32_t length, std::int32_t index) const {
  const Reach reach = elements(code, first, length, index);
  ObjectSet set = 0;
  for (std::uint32_t i = reach.first; i < reach.first + reach.count; ++i) {
    if (numbers[i] != kNone) set |= ObjectSet{1} << numbers[i];
  }
  return set;
}

ObjectSet Futures::awaited(const Code& code, std::int32_t index) const {
  ObjectSet set = 0;
  for_each_shared(code, index, [&](const Node& node) {
    set |= objects(cells_, code, node.first, node.length, node.left);
  });
  return set;
}

// What the step itself does; the open transaction is taken to be the step's.
Future Futures::own(const Code& code, std::uint32_t pc) const {
  Future own;
  const Step& step = code.steps[pc];
  const auto of = [&](const std::vector<std::int32_t>& numbers) {
    return objects(numbers, code, step.object, step.length, step.index);
  };
  switch (step.kind) {
    case StepKind::kRead: own.reads = of(cells_); break;
    case StepKind::kWrite: own.writes = of(cells_); break;
    case StepKind::kAcquire:
    case StepKind::kRelease:
      (is_shared_side(step.event) ? own.reads : own.writes) = of(locks_);
      break;
    case StepKind::kAssume: own.reads = awaited(code, step.value); break;
    case StepKind::kAwait: own.reads = of(channels_); break;
    case StepKind::kSignal: own.acts = of(channels_) != 0; break;
    case StepKind::kJoin: own.joins = ThreadSet{1} << step.object; break;
    case StepKind::kFork: own.acts = true; break;
    default: break;
  }
  own.txn_reads = own.reads;
  own.txn_writes = own.writes;
  own.txn_joins = own.joins;
  own.txn_retries = splits() && step.event == Kind::kRetry && code.depth[pc] > 0;
  own.txn_acts = (own.reads | own.writes | own.joins) != 0 || own.txn_retries;
  own.acts |= own.txn_acts;
  return own;
}

// A part of the block has ended before the step, whatever happened.
bool Futures::cuts_always(const Code& code, std::uint32_t pc) const {
  return splits() && code.steps[pc].event == Kind::kResume && code.depth[pc] > 0;
}

std::vector<Future> Futures::solve(const Code& code) const {
  std::vector<Future> futures(code.steps.size() + 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto pc = static_cast<std::uint32_t>(code.steps.size()); pc-- > 0;) {
      Future next = own(code, pc);
      const bool cut = cuts_always(code, pc);
      const bool ends = cut || (code.steps[pc].kind == StepKind::kEnd && code.depth[pc] == 1);
      if (cut) next.txn_reads = next.txn_writes = 0;
      if (cut) next.txn_acts = false;
      for (const std::uint32_t successor : successors(code, pc)) {
        const Future& then = futures[successor];
        next.reads |= then.reads;
        next.writes |= then.writes;
        next.joins |= then.joins;
        next.acts |= then.acts;
        if (ends) continue;
        next.txn_reads |= then.txn_reads;
        next.txn_writes |= then.txn_writes;
        next.txn_joins |= then.txn_joins;
        next.txn_retries |= then.txn_retries;
        next.txn_acts |= then.txn_acts;
      }
      changed |= next != futures[pc];
      futures[pc] = next;
    }
  }
  futures.back() = futures.front();
  return futures;
}

}  // namespace omnium::model
