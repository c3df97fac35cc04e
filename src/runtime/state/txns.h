// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which transaction an event was in. A report must know that long after the transaction has ended.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/state/code.h"

namespace omnium::runtime {

// The transaction of an event. An event outside of blocks is a transaction of its own.
struct TxnRef {
  enum class Known : std::uint8_t { kNothing, kNoBlock, kBlock } known;
  const char* name;  // of the outermost block; null: a function
  Pc function, pc;
  std::uint64_t start;  // its local time, if it is a block
};

// The latest transactions of a thread that have ended while an open transaction reached the thread.
// Only their events can still be sources of dependencies. The thread adds to it; other threads
// look.
class RecentTxns {
 public:
  void clear() {
    for (Entry& entry : entries_) entry.end.store(0, std::memory_order_relaxed);
    count_.store(0, std::memory_order_relaxed);
  }

  // `end` is the time of its last event. Later events have a later time.
  void add(const TxnRef& txn, std::uint64_t end) {
    const std::uint32_t count = count_.load(std::memory_order_relaxed);
    Entry& entry = entries_[count % kEntries];
    count_.store(count + 1, std::memory_order_relaxed);
    entry.end.store(0, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    entry.txn = txn;
    entry.end.store(end + 1, std::memory_order_release);
  }

  // The one that an event of this time was in, which is not part of the open one; nothing is known
  // if that was too long ago.
  TxnRef find(std::uint64_t time) const;

 private:
  static constexpr std::uint32_t kEntries = 128;
  struct Entry {
    TxnRef txn{};
    std::atomic<std::uint64_t> end = 0;  // the first time after it; 0: it is being written
  };

  Entry entries_[kEntries];
  std::atomic<std::uint32_t> count_ = 0;  // that were ever added
};

inline TxnRef RecentTxns::find(std::uint64_t time) const {
  const std::uint32_t count = count_.load(std::memory_order_relaxed);
  TxnRef none{};
  for (std::uint32_t back = 1; back <= count && back <= kEntries; ++back) {
    const Entry& entry = entries_[(count - back) % kEntries];
    const std::uint64_t end = entry.end.load(std::memory_order_acquire);
    const TxnRef txn = entry.txn;
    std::atomic_thread_fence(std::memory_order_acquire);
    if (end == 0 || entry.end.load(std::memory_order_relaxed) != end) continue;
    if (txn.start > time) continue;
    if (time < end) return txn;
    none.known = TxnRef::Known::kNoBlock;  // it ended before, and the next one began after
    return none;
  }
  if (count <= kEntries) none.known = TxnRef::Known::kNoBlock;
  return none;
}

}  // namespace omnium::runtime
