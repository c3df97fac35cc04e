// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The last few thousand events of a thread that left a mark: what a report shows beside the bare
// dependencies. Written by the thread alone; read by whoever reports, who checks that what was
// copied had not been overwritten. An entry takes 16 bytes, since almost every new access adds one.
#pragma once

#include <x86intrin.h>

#include <atomic>
#include <cstdint>

#include "runtime/state/code.h"
#include "wire/protocol.h"

namespace omnium::runtime {

struct HistoryEntry {
  std::uint64_t object;  // kBegin, kEnd: the name, or with size 1 the function
  Pc pc;
  std::uint64_t time;
  std::uint64_t stamp;  // 0: right after the entry before it
  wire::EntryKind kind;
  std::uint8_t size;
};

class History {
 public:
  static constexpr std::uint64_t kCapacity = 4096;

  void map();  // once

  // Of the entries to come.
  void set_time(std::uint64_t time) { time_ = time << 48; }

  void add(wire::EntryKind kind, std::uint64_t object, unsigned size, Pc pc) {
    append(static_cast<std::uint64_t>(kind) << 48, object, size, pc);
  }
  // The same for an event whose order among those of other threads must be seen.
  void add_stamped(wire::EntryKind kind, std::uint64_t object, unsigned size, Pc pc) {
    stamps_[count() % kCapacity] = __rdtsc();
    append(static_cast<std::uint64_t>(kind) << 48 | kStamped, object, size, pc);
  }

  // The same for the last event, which was added without one.
  void stamp_last();

  void clear() { end_.store(0, std::memory_order_release); }

  // The events [first(), count()) are there; a copy of one is good if it still is afterwards.
  std::uint64_t count() const { return end_.load(std::memory_order_acquire) / sizeof(Packed); }
  std::uint64_t first() const {
    const std::uint64_t count = this->count();
    // One less than the capacity: the next one may be half written.
    return count < kCapacity ? 0 : count - kCapacity + 1;
  }
  // `now`: the thread's time after it wrote the entry. Time advances with entries, so that 16 bits
  // of it suffice.
  HistoryEntry at(std::uint64_t index, std::uint64_t now) const;

 private:
  struct Packed {
    std::uint64_t object;  // 48 bits, kind, size
    std::uint64_t pc;      // 48 bits, the low ones of the time
  };
  static constexpr std::uint64_t kStamped = std::uint64_t{1} << 55;

  void append(std::uint64_t kind, std::uint64_t object, unsigned size, Pc pc) {
    const std::uint64_t end = end_.load(std::memory_order_relaxed);
    // The end is a multiple of the size: there is nothing to round.
    auto* const bytes = reinterpret_cast<char*>(entries_) + end % (kCapacity * sizeof(Packed));
    *reinterpret_cast<Packed*>(bytes) = {object | kind | std::uint64_t{size} << 56, pc | time_};
    end_.store(end + sizeof(Packed), std::memory_order_release);
  }

  Packed* entries_ = nullptr;
  std::uint64_t* stamps_ = nullptr;
  std::atomic<std::uint64_t> end_ = 0;  // in bytes
  std::uint64_t time_ = 0;              // 16 bits of it, where an entry has them
};

}  // namespace omnium::runtime
