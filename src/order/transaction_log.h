// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Finished transactions of threads that may still appear in a witness: from an event to its
// transaction.
#pragma once

#include <algorithm>
#include <cstdint>
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
    logs_[transaction.thread].emplace_back(transaction, end);
  }
  void clear(ThreadId t) { logs_[t].clear(); }

  // The transaction that an event of t belongs to: the open one, a logged one, or the event itself.
  template <class Block>
  BlockRef transaction_of(const OpenBlocks<Block>& open, ThreadId t, EventIndex event) const {
    if (open.inside(t) && open.transaction(t).begin <= event) return open.transaction(t);
    const auto& log = logs_[t];
    const auto after =
        std::upper_bound(log.begin(), log.end(), event,
                         [](EventIndex index, const Entry& it) { return index < it.begin(); });
    if (after == log.begin() || std::prev(after)->end() < event) {
      return {t, LabelId::none(), event};
    }
    return {t, std::prev(after)->label(), std::prev(after)->begin()};
  }

 private:
  // 16 bytes, of which there may be one for each transaction of a long trace: | label 16 | begin 48
  // | label 16 | end 48 |.
  class Entry {
   public:
    Entry(const BlockRef& transaction, EventIndex end)
        : begin_(transaction.begin | std::uint64_t{transaction.label.v >> 16} << kBits),
          end_(end | std::uint64_t{transaction.label.v} << kBits) {}
    EventIndex begin() const { return begin_ & kMask; }
    EventIndex end() const { return end_ & kMask; }
    LabelId label() const {
      return {static_cast<std::uint32_t>(begin_ >> kBits << 16 | end_ >> kBits)};
    }

   private:
    static constexpr int kBits = 48;
    static constexpr std::uint64_t kMask = (std::uint64_t{1} << kBits) - 1;
    std::uint64_t begin_, end_;
  };
  IdTable<ThreadId, std::vector<Entry>> logs_;
};

}  // namespace omnium
