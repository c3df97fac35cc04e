// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Finished transactions of threads that may still appear in a witness: from an event to its
// transaction.
#pragma once

#include <algorithm>
#include <vector>

#include "finding/finding.h"
#include "order/open_blocks.h"
#include "support/id.h"

namespace omnium {

class TransactionLog {
 public:
  void grow_to(std::uint32_t threads) { logs_.grow_to(threads); }
  // Transactions of a thread are added in order.
  void add(const BlockRef& transaction, EventIndex end) {
    logs_[transaction.thread].push_back({transaction.begin, end, transaction.label});
  }
  void clear(ThreadId t) { logs_[t].clear(); }

  // The transaction that an event of t belongs to: the open one, a logged one, or the event itself.
  template <class Block>
  BlockRef transaction_of(const OpenBlocks<Block>& open, ThreadId t, EventIndex event) const {
    if (open.inside(t) && open.transaction(t).begin <= event) return open.transaction(t);
    const auto& log = logs_[t];
    const auto after =
        std::upper_bound(log.begin(), log.end(), event,
                         [](EventIndex index, const Entry& entry) { return index < entry.begin; });
    if (after == log.begin() || std::prev(after)->end < event) {
      return {t, LabelId::none(), event};
    }
    return {t, std::prev(after)->label, std::prev(after)->begin};
  }

 private:
  struct Entry {
    EventIndex begin, end;
    LabelId label;
  };
  IdTable<ThreadId, std::vector<Entry>> logs_;
};

}  // namespace omnium
