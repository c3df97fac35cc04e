// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/davida.h"

#include <algorithm>
#include <utility>

namespace omnium {

void Davida::grow(const Extent& extent) {
  dependencies_.grow_to(extent);
  blocks_.grow_to(extent.threads);
  forest_.grow_to(extent.threads);
  finished_.grow_to(extent.threads);
  reporter_.grow_to(extent.threads);
}

void Davida::on_acquire(ThreadId t, LockId m) { dependencies_.acquire(t, m, now(), into(t)); }
void Davida::on_release(ThreadId t, LockId m) { dependencies_.release(t, m, now(), into(t)); }
void Davida::on_fork(ThreadId t, ThreadId child) { dependencies_.fork(t, child, now(), into(t)); }
void Davida::on_join(ThreadId t, ThreadId other) { dependencies_.join(t, other, now(), into(t)); }

// [Davida alg.1 lines 2-7: initialization]
void Davida::on_begin(ThreadId t, LabelId label) {
  if (blocks_.push(t, label, now())) forest_.plant(blocks_.transaction(t));
  dependencies_.begin_or_end(t, now(), into(t));
}

// The tree of a completed transaction is dropped.
void Davida::on_end(ThreadId t) {
  dependencies_.begin_or_end(t, now(), into(t));
  const BlockRef block = blocks_.innermost(t);
  const bool transaction_ended = blocks_.pop(t);
  reporter_.block_ended(block, blocks_.depth(t), now());
  if (!transaction_ended) return;
  forest_.fell(t);
  if (forest_.reached(t)) {
    finished_.add(block, now());
  } else {
    finished_.clear(t);
  }
}

// Detection looks at the tree of the sink, capturing at all others: their order does not matter.
void Davida::process(const Dependency& dependency) {
  const ThreadId u = dependency.source_thread;
  const ThreadId v = dependency.sink_thread;
  if (blocks_.inside(v)) {
    // [Davida alg.2 lines 3-13: AV_detection] Times are event indices, so "M_v(u) is an earlier
    // transaction, or the same one and e_p is not after e_a" is one comparison.
    const Node* reached = forest_.find(v, u);
    if (reached != nullptr && reached->arrival <= dependency.source) {
      report(dependency, *reached);
    } else if (reached != nullptr) {
      ++not_increasing_;
    }
  }
  const HappensBeforeForest::View view = forest_.view(dependency);
  both_ += view.increasing && view.not_increasing;
  if (!view.wanted) {
    ++skipped_;
    return forest_.skip(v);
  }
  // [Davida alg.1 lines 8-31: captureDependency, CheckOtherTrees]
  ++kept_;
  forest_.capture(dependency, finished_.transaction_of(blocks_, u, dependency.source),
                  finished_.transaction_of(blocks_, v, now()));
}

void Davida::report(const Dependency& closing, const Node& reached) {
  ++instances_;
  const auto blocks = blocks_.of(closing.sink_thread);
  std::size_t refuted = 1;
  if (blocks.size() > 1) {
    // The witness leaves the transaction at its root; the blocks around that are refuted too.
    const EventIndex root = root_event(closing.sink_thread, reached);
    while (refuted < blocks.size() && blocks[refuted].begin <= root) ++refuted;
  }
  std::vector<WitnessStep> found;
  const auto localize = [&] {
    if (found.empty()) found = witness(closing, reached);
  };
  if (!cycle_reported_) {
    localize();
    report_cycle(found);
  }
  reporter_.instance(closing, blocks, refuted, [&](const BlockRef&) {
    localize();
    return found;
  });
}

// A witness is a cycle of the transaction graph; where it goes on from a later transaction of a
// thread, program order is the edge.
void Davida::report_cycle(const std::vector<WitnessStep>& witness) {
  cycle_reported_ = true;
  Cycle cycle;
  cycle.closed_at = now();
  for (const WitnessStep& step : witness) {
    if (cycle.transactions.empty() || cycle.transactions.back() != step.from) {
      cycle.transactions.push_back(step.from);
    }
    cycle.transactions.push_back(step.to);
  }
  cycle.transactions.pop_back();
  sink().not_serializable(std::move(cycle));
}

// [Davida alg.2 lines 14-30: witnessLocalization]
std::vector<WitnessStep> Davida::witness(const Dependency& closing, const Node& reached) {
  const ThreadId root = closing.sink_thread;
  std::vector<WitnessStep> steps{
      {finished_.transaction_of(blocks_, closing.source_thread, closing.source),
       blocks_.transaction(root), closing}};
  const Node* current = &reached;
  for (; current->thread != root; current = forest_.find(root, current->dependency.source_thread)) {
    steps.push_back({current->from, current->to, current->dependency});
  }
  std::reverse(steps.begin(), steps.end());
  // [Davida table VI] Each node from M_v(u) to the root once, those of program order too.
  visited_ += steps.size();
  for (std::size_t i = 1; i < steps.size(); ++i) visited_ += steps[i].from != steps[i - 1].to;
  return steps;
}

// Where the branch of `reached` leaves the root.
EventIndex Davida::root_event(ThreadId root, const Node& reached) const {
  const Node* current = &reached;
  while (current->dependency.source_thread != root) {
    current = forest_.find(root, current->dependency.source_thread);
  }
  return current->dependency.source;
}

// [Davida table VI] and what its columns do not say.
std::vector<Counter> Davida::counters() const {
  const HappensBeforeForest::Counts forest = forest_.counts();
  return {
      {"instances", instances_},
      {"visited transactions", visited_, Measure::kVisited},
      {"dependencies kept", kept_, Measure::kKept},
      {"dependencies skipped", skipped_, Measure::kSkipped},
      {"captured, once per tree", forest.captured},
      {"captured after program order", forest.program_order},
      {"skipped, once per tree", forest.skipped},
      {"most skipped by the trees of one moment", forest.most_skipped},
      {"not increasing", not_increasing_},
      {"increasing for one, not for another", both_},
      {"maximum forest size", forest.most_captured, Measure::kNodes},
      {"most trees", forest.most_trees},
  };
}

}  // namespace omnium
