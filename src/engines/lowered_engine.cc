// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/lowered_engine.h"

#include <utility>

namespace omnium {

void LoweredFindings::translate(Dependency& dependency) const {
  if (dependency.kind != DependencyKind::kReleaseAcquire) return;
  const Lowering::Origin origin = lowering_.origin({dependency.object});
  dependency.object = origin.object;
  if (origin.kind == Lowering::Origin::Kind::kSignal) {
    dependency.kind = DependencyKind::kSignalAwait;
  }
}

void LoweredFindings::translate(std::vector<WitnessStep>& witness) const {
  for (WitnessStep& step : witness) translate(step.dependency);
}

// The transaction is a part and begins with it; the blocks that are refuted are whole.
void LoweredFindings::violation(Violation violation) {
  translate(violation.closing);
  translate(violation.witness);
  if (lowering_.splits()) {
    const auto blocks = lowering_.blocks(violation.transaction.thread);
    std::size_t depth = violation.refuted.size();
    for (BlockRef& block : violation.refuted) block.begin = blocks[--depth].begin;
  }
  to_.violation(std::move(violation));
}

// An engine that looks for cycles at the end only (conflict-graph) knows of one no sooner,
// whichever event closed it.
void LoweredFindings::not_serializable(Cycle cycle) {
  if (!detection_) {
    detection_ = {last_ == kNoEvent ? cycle.closed_at : last_, std::chrono::steady_clock::now()};
  }
  to_.not_serializable(std::move(cycle));
}

// A block is refuted once, however many of its parts are.
void LoweredFindings::refuted(RefutedBlock refuted) {
  if (lowering_.splits()) {
    Lowering::OpenBlock& block = lowering_.blocks(refuted.block.thread)[refuted.depth];
    if (std::exchange(block.refuted, true)) return;
    refuted.block.begin = block.begin;
  }
  translate(refuted.witness);
  to_.refuted(std::move(refuted));
}

}  // namespace omnium
