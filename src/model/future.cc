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

bool is_lock_step(StepKind kind) {
  return kind == StepKind::kAcquire || kind == StepKind::kRelease;
}

std::vector<std::uint32_t> successors(const Code& code, std::uint32_t pc) {
  const Step& step = code.steps[pc];
  switch (step.kind) {
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

Futures::Futures(const Model& model, Conflicts conflicts) {
  number_objects(model, conflicts);
  if (too_many_) return;
  for (const Instance& thread : model.threads) code_of_thread_.push_back(thread.code);
  for (const Code& code : model.codes) futures_.push_back(solve(code));
}

void Futures::note_uses(const Code& code, std::uint32_t thread, std::vector<Use>& cells,
                        std::vector<Use>& locks) const {
  const auto note = [&](std::vector<Use>& uses, Reach reach, bool writes) {
    for (std::uint32_t i = reach.first; i < reach.first + reach.count; ++i) {
      uses[i].threads += uses[i].last != thread;
      uses[i].last = thread;
      uses[i].written |= writes;
    }
  };
  for (const Step& step : code.steps) {
    const bool writes = step.kind == StepKind::kWrite;
    if (writes || step.kind == StepKind::kRead) {
      note(cells, elements(code, step.object, step.length, step.index), writes);
    } else if (is_lock_step(step.kind)) {
      note(locks, elements(code, step.object, step.length, step.index), true);
    } else if (step.kind == StepKind::kAwait) {
      for_each_shared(code, step.value, [&](const Node& node) {
        note(cells, elements(code, node.first, node.length, node.left), false);
      });
    }
  }
}

void Futures::number_objects(const Model& model, Conflicts conflicts) {
  std::vector<Use> cells(model.cells.size());
  std::vector<Use> locks(model.lock_names.size());
  for (std::uint32_t t = 0; t < model.threads.size(); ++t) {
    note_uses(model.code_of(t), t, cells, locks);
  }
  for (const Use& use : cells) {
    const bool conflicting = use.threads > 1 && use.written;
    cells_.push_back(conflicting ? static_cast<std::int32_t>(object_count_++) : kNone);
  }
  for (const Use& use : locks) {
    contended_.push_back(use.threads > 1);
    const bool conflicting = use.threads > 1 && conflicts == Conflicts::kAll;
    locks_.push_back(conflicting ? static_cast<std::int32_t>(object_count_++) : kNone);
  }
  too_many_ = object_count_ > kMostObjects;
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
Future Futures::own(const Code& code, const Step& step) const {
  Future own;
  switch (step.kind) {
    case StepKind::kRead:
      own.reads = objects(cells_, code, step.object, step.length, step.index);
      break;
    case StepKind::kWrite:
      own.writes = objects(cells_, code, step.object, step.length, step.index);
      break;
    case StepKind::kAcquire:
    case StepKind::kRelease:
      own.writes = objects(locks_, code, step.object, step.length, step.index);
      break;
    case StepKind::kAwait: own.reads = awaited(code, step.value); break;
    case StepKind::kJoin: own.joins = ThreadSet{1} << step.object; break;
    case StepKind::kFork: own.acts = true; break;
    default: break;
  }
  own.txn_reads = own.reads;
  own.txn_writes = own.writes;
  own.txn_acts = (own.reads | own.writes | own.joins) != 0;
  own.acts |= own.txn_acts;
  return own;
}

std::vector<Future> Futures::solve(const Code& code) const {
  std::vector<Future> futures(code.steps.size() + 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto pc = static_cast<std::uint32_t>(code.steps.size()); pc-- > 0;) {
      Future next = own(code, code.steps[pc]);
      const bool ends = code.steps[pc].kind == StepKind::kEnd && code.depth[pc] == 1;
      for (const std::uint32_t successor : successors(code, pc)) {
        const Future& then = futures[successor];
        next.reads |= then.reads;
        next.writes |= then.writes;
        next.joins |= then.joins;
        next.acts |= then.acts;
        if (ends) continue;
        next.txn_reads |= then.txn_reads;
        next.txn_writes |= then.txn_writes;
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
