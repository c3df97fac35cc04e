// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/reach.h"

#include <algorithm>

namespace omnium {

void Reach::grow(const Extent& extent) {
  dependencies_.grow_to(extent);
  blocks_.grow_to(extent.threads);
  matrix_.grow_to(extent.threads);
  finished_.grow_to(extent.threads);
  reporter_.grow_to(extent.threads);
}

void Reach::on_acquire(ThreadId t, LockId m) { dependencies_.acquire(t, m, now(), into(t)); }
void Reach::on_release(ThreadId t, LockId m) { dependencies_.release(t, m, now(), into(t)); }
void Reach::on_fork(ThreadId t, ThreadId child) { dependencies_.fork(t, child, now(), into(t)); }
void Reach::on_join(ThreadId t, ThreadId other) { dependencies_.join(t, other, now(), into(t)); }

void Reach::on_begin(ThreadId t, LabelId label) {
  if (blocks_.push(t, label, now())) matrix_.open_transaction(t, static_cast<ReachTime>(now()));
  dependencies_.begin_or_end(t, now(), into(t));
}

void Reach::on_end(ThreadId t) {
  dependencies_.begin_or_end(t, now(), into(t));
  const Block block = blocks_.innermost(t);
  const bool transaction_ended = blocks_.pop(t);
  reporter_.block_ended(block, blocks_.depth(t), now());
  if (!transaction_ended) return matrix_.close_nested(block.row);
  matrix_.close_transaction(t, block.row);
  if (matrix_.unreached(t)) {
    finished_.clear(t);
  } else {
    finished_.add(block, now());
  }
}

// [docs/algorithms/reach.md, rules 2 to 5]
void Reach::live(const Dependency& dependency) {
  const ThreadId u = dependency.source_thread;
  const ThreadId v = dependency.sink_thread;
  const auto time = static_cast<ReachTime>(dependency.source);
  give_rows(u, dependency.source);
  Row row = ReachMatrix::kNoRow;
  EventIndex start = now();
  if (blocks_.inside(v)) {
    row = blocks_.transaction(v).row;
    start = blocks_.transaction(v).begin;
  }
  if (row != ReachMatrix::kNoRow) {
    if (matrix_.event_reach(row, u) <= time) report_instance(dependency);
    if (matrix_.txn_reach(row, u) <= time) report_cycle(dependency, row);
  }
  matrix_.spread(dependency, row, static_cast<ReachTime>(start));
}

// Blocks of u that were open at the source reach the sink from now on.
void Reach::give_rows(ThreadId u, EventIndex source) {
  const auto blocks = blocks_.of(u);
  for (std::size_t i = 0; i < blocks.size() && blocks[i].begin <= source; ++i) {
    if (blocks[i].row != ReachMatrix::kNoRow) continue;
    blocks[i].row = i == 0 ? matrix_.row_for_transaction(u)
                           : matrix_.row_for_nested(u, static_cast<ReachTime>(blocks[i].begin));
  }
}

void Reach::report_instance(const Dependency& closing) {
  ++instances_;
  const auto blocks = blocks_.of(closing.sink_thread);
  // What refutes a block refutes those around it; a block without a row reaches nothing yet.
  const auto refutes = [&](const Block& block) {
    return block.row != ReachMatrix::kNoRow &&
           matrix_.event_reach(block.row, closing.source_thread) <=
               static_cast<ReachTime>(closing.source);
  };
  const auto first_unrefuted = std::find_if_not(blocks.begin(), blocks.end(), refutes);
  const auto refuted = static_cast<std::size_t>(first_unrefuted - blocks.begin());
  reporter_.instance(closing, blocks, refuted,
                     [&](const Block& root) { return witness(closing, root); });
}

// All transactions that the sink's transaction reaches begin at or after the least entry of its
// row, and so does some cycle through it.
void Reach::report_cycle(const Dependency& closing, Row row) {
  ++cycle_edges_;
  if (cycle_reported_) return;
  cycle_reported_ = true;
  Cycle cycle;
  cycle.closed_at = closing.sink;
  cycle.window_begin = static_cast<EventIndex>(matrix_.least_txn_reach(row));
  sink().not_serializable(std::move(cycle));
}

// Entries of event_reach are set once, so their parents form a tree with the block at its root:
// walk from the source of the closing dependency to the root.
std::vector<WitnessStep> Reach::witness(const Dependency& closing, const Block& root) const {
  std::vector<WitnessStep> steps;
  Dependency step = closing;
  for (;;) {
    steps.push_back({finished_.transaction_of(blocks_, step.source_thread, step.source),
                     finished_.transaction_of(blocks_, step.sink_thread, step.sink), step});
    if (step.source_thread == root.thread) break;
    step = matrix_.parent(root.row, step.source_thread);
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

std::vector<Counter> Reach::counters() const {
  const ReachMatrix::Counts& counts = matrix_.counts();
  return {
      {"rule 1: dead dependencies", dead_dependencies_, Measure::kSkipped},
      {"live dependencies", live_dependencies_, Measure::kKept},
      {"rule 2: instances", instances_},
      {"rule 2: edges that close a cycle", cycle_edges_},
      {"rule 4: events reached", counts.event_reached},
      {"rule 5: transactions reached", counts.txn_reached},
      {"rule 5: rows joined", counts.merged},
      {"most rows", counts.max_rows, Measure::kNodes},
      {"most columns", counts.max_columns},
  };
}

}  // namespace omnium
