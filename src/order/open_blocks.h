// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The blocks that each thread has open, outermost first: who is inside a transaction, since when,
// under which label. Every engine needs this; nobody writes it twice. Engines that keep something
// with a block derive their own Block from BlockRef.
#pragma once

#include <concepts>
#include <span>
#include <vector>

#include "finding/finding.h"
#include "support/id.h"

namespace omnium {

template <std::derived_from<BlockRef> Block = BlockRef>
class OpenBlocks {
 public:
  void grow_to(std::uint32_t threads) { stacks_.grow_to(threads); }

  // True if the block is an outermost one, i.e. a transaction begins.
  bool push(ThreadId t, LabelId label, EventIndex now) {
    Block block{};
    static_cast<BlockRef&>(block) = {t, label, now};
    stacks_[t].push_back(block);
    return stacks_[t].size() == 1;
  }
  // Takes the innermost block off; true if a transaction ended with it.
  bool pop(ThreadId t) {
    stacks_[t].pop_back();
    return stacks_[t].empty();
  }

  // The trace is over: every open transaction ends; ended(t) for each, in the order of threads.
  template <class Ended>
  void end_all(Ended&& ended) {
    for (ThreadId t{0}; t.v < stacks_.size(); ++t.v) {
      if (!inside(t)) continue;
      stacks_[t].clear();
      ended(t);
    }
  }

  bool inside(ThreadId t) const { return !stacks_[t].empty(); }
  std::size_t depth(ThreadId t) const { return stacks_[t].size(); }
  // The transaction of t and the innermost block of t; only while inside(t).
  Block& transaction(ThreadId t) { return stacks_[t].front(); }
  const Block& transaction(ThreadId t) const { return stacks_[t].front(); }
  Block& innermost(ThreadId t) { return stacks_[t].back(); }
  // All open blocks of t, outermost first.
  std::span<Block> of(ThreadId t) { return stacks_[t]; }
  std::span<const Block> of(ThreadId t) const { return stacks_[t]; }
  // The transaction that the event `now` of t belongs to: the open one, or the event itself.
  BlockRef transaction_at(ThreadId t, EventIndex now) const {
    return inside(t) ? BlockRef(transaction(t)) : BlockRef{t, LabelId::none(), now};
  }

 private:
  IdTable<ThreadId, std::vector<Block>> stacks_;
};

}  // namespace omnium
