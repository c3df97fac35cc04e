// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The readers of one word that many blocks of several threads read again and again (a size, the
// pointer to a table, a reader-writer lock). Sets (rows.h) never change, so each read would need a
// new one. In a list each thread has an entry, into which it writes its current time.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/state/epoch.h"
#include "runtime/system/spin_lock.h"

namespace omnium::runtime {

struct alignas(64) ReaderList {
  static constexpr std::uint32_t kReaders = 15;

  std::atomic<Epoch> readers[kReaders];  // 0: free
  std::uint32_t words;                   // how many words have it: 1, or 2 that are read together

  // The entry of the thread that owns the slot; null if it has none.
  std::atomic<Epoch>* find(const ThreadState& thread, std::uint32_t slot, std::uint32_t index);
  // Puts the epoch into a free or dead entry. False if there is none.
  bool add(Epoch epoch, std::uint32_t index);
};

class ReaderLists {
 public:
  void map();  // before first use

  std::uint32_t take(std::uint32_t words);  // an empty list; 0 if there is none
  ReaderList& at(std::uint32_t number) { return lists_[number]; }

  // For the scrubber: lists that are not kept between start_sweep and finish_sweep are free again.
  void start_sweep();
  void keep(std::uint32_t number) { kept_[number] = true; }
  void finish_sweep();

  void lock_for_fork() { lock_.lock(); }
  void unlock_after_fork() { lock_.unlock(); }

 private:
  ReaderList* lists_ = nullptr;
  bool* kept_ = nullptr;
  bool* taken_ = nullptr;
  std::uint32_t* free_ = nullptr;
  std::uint32_t free_count_ = 0, used_ = 1;  // 0 means "none"
  SpinLock lock_;
};

extern ReaderLists reader_lists;

}  // namespace omnium::runtime
