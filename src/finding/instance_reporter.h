// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// From instances to findings: the first instance of each transaction in full (all of them if the
// sink wants every instance; of each block inside if it asks for that), each block refuted once,
// and the end of reported transactions.
#pragma once

#include <algorithm>
#include <ranges>
#include <utility>
#include <vector>

#include "finding/finding.h"
#include "support/id.h"

namespace omnium {

class InstanceReporter {
 public:
  explicit InstanceReporter(FindingSink& sink) : sink_(sink) {}

  void grow_to(std::uint32_t threads) { threads_.grow_to(threads); }

  // `closing` refutes the first `refuted` of the open blocks of its sink thread (outermost first;
  // at least one). `witness_from(block)` is called for those whose witness is wanted.
  template <std::ranges::random_access_range Blocks, class WitnessFrom>
  void instance(const Dependency& closing, const Blocks& blocks, std::size_t refuted,
                WitnessFrom&& witness_from) {
    State& state = threads_[closing.sink_thread];
    const bool first = state.refuted == 0;
    for (; state.refuted < refuted; ++state.refuted) {
      RefutedBlock found{blocks[state.refuted], state.refuted, {}};
      if (sink_.wants_block_witnesses()) found.witness = witness_from(blocks[state.refuted]);
      sink_.refuted(std::move(found));
    }
    if (state.told.size() < refuted) state.told.resize(refuted);
    const bool told_before = state.told[refuted - 1];
    if (!first && !sink_.every_instance() &&
        (told_before || !sink_.wants_inner_block(blocks[refuted - 1]))) {
      sink_.repeated_instance();
      return;
    }
    state.told[refuted - 1] = true;
    Violation violation;
    violation.transaction = blocks[0];
    violation.closing = closing;
    for (std::size_t i = refuted; i-- > 0;) violation.refuted.push_back(blocks[i]);
    violation.witness = witness_from(blocks[refuted - 1]);
    sink_.violation(std::move(violation));
  }

  // The innermost block of its thread ended; `depth` blocks stay open.
  void block_ended(const BlockRef& block, std::size_t depth, EventIndex now) {
    State& state = threads_[block.thread];
    if (state.refuted <= depth) return;
    state.refuted = depth;
    if (state.told.size() > depth) state.told.resize(depth);
    if (depth == 0) sink_.transaction_ended(block, now);
  }

 private:
  struct State {
    std::size_t refuted = 0;  // this many of the open blocks, outermost first, were reported
    std::vector<bool> told;   // of these, those that were the innermost of a violation
  };

  FindingSink& sink_;
  IdTable<ThreadId, State> threads_;
};

}  // namespace omnium
