// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The last few thousand events of a thread that left a mark: what a report shows beside the bare
// dependencies. Written by the thread alone; read by whoever reports, who checks that what was
// copied had not been overwritten.
#pragma once

#include <x86intrin.h>

#include <atomic>
#include <cstdint>

#include "live/protocol.h"
#include "runtime/events.h"

namespace omnium::runtime {

struct HistoryEntry {
  std::uint64_t object;  // kBegin, kEnd: the name, or with size 1 the function
  std::uint64_t packed;  // pc, kind, size
  std::uint64_t time;
  std::uint64_t stamp;

  Pc pc() const { return packed & ((std::uint64_t{1} << 48) - 1); }
  live::EntryKind kind() const { return static_cast<live::EntryKind>(packed >> 48 & 255); }
  std::uint8_t size() const { return static_cast<std::uint8_t>(packed >> 56); }
};

class History {
 public:
  static constexpr std::uint64_t kCapacity = 4096;

  void map();  // once

  void add(live::EntryKind kind, std::uint64_t object, unsigned size, Pc pc, std::uint64_t time,
           std::uint64_t stamp) {
    const std::uint64_t count = count_.load(std::memory_order_relaxed);
    const std::uint64_t packed =
        pc | static_cast<std::uint64_t>(kind) << 48 | std::uint64_t{size} << 56;
    entries_[count % kCapacity] = {object, packed, time, stamp};
    count_.store(count + 1, std::memory_order_release);
  }

  static std::uint64_t stamp() { return __rdtsc(); }

  void clear() { count_.store(0, std::memory_order_release); }

  // The events [first(), count()) are there; a copy of one is good if it still is afterwards.
  std::uint64_t count() const { return count_.load(std::memory_order_acquire); }
  std::uint64_t first() const {
    const std::uint64_t count = this->count();
    // One less than the capacity: the next one may be half written.
    return count < kCapacity ? 0 : count - kCapacity + 1;
  }
  HistoryEntry at(std::uint64_t index) const { return entries_[index % kCapacity]; }

 private:
  HistoryEntry* entries_ = nullptr;
  std::atomic<std::uint64_t> count_{0};
};

}  // namespace omnium::runtime
