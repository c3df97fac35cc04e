// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The last few thousand events of a thread that left a mark in the shadow. Reports show them around
// the dependencies. Only the thread writes; a reporting thread copies entries and then checks that
// they have not been overwritten meanwhile. Entries are packed into 16 bytes, since almost every
// access that is no repetition adds one.
#pragma once

#include <x86intrin.h>

#include <atomic>
#include <cstdint>

#include "runtime/state/code.h"
#include "wire/protocol.h"

namespace omnium::runtime {

struct HistoryEntry {
  std::uint64_t object;  // kBegin, kEnd: the name, or with kIsFunction the function
  Pc pc;
  std::uint64_t time;
  std::uint64_t stamp;  // time stamp counter; 0: the event is directly after the entry before it
  wire::EntryKind kind;
  std::uint8_t size;
};

class History {
 public:
  static constexpr std::uint64_t kCapacity = 4096;

  void map();  // once

  // The local time of the following entries.
  void set_time(std::uint64_t time) { time_ = time << 48; }

  void add(wire::EntryKind kind, std::uint64_t object, unsigned size, Pc pc) {
    append(static_cast<std::uint64_t>(kind) << 48, object, size, pc);
  }
  // The same for a part of a range. One entry has several parts, or a buffer of a few pages would
  // overwrite all that the thread did before. It grows by one store: who copies it meanwhile sees
  // some of its parts.
  void add_part(wire::EntryKind kind, std::uint64_t object, unsigned size, Pc pc) {
    const std::uint64_t end = end_.load(std::memory_order_relaxed);
    if (end != 0) {
      Packed& last = entries_[(end / sizeof(Packed) - 1) % kCapacity];
      const std::uint64_t had = last.object >> 56;
      const std::uint64_t before = (object - had) | static_cast<std::uint64_t>(kind) << 48;
      if (last.object == (before | had << 56) && last.pc == (pc | time_) &&
          had + size <= wire::kMostBytesOfEntry) {
        std::atomic_ref(last.object).store(before | (had + size) << 56, std::memory_order_release);
        return;
      }
    }
    add(kind, object, size, pc);
  }
  // Adds an event with a time stamp, which gives it a place among the events of other threads.
  void add_stamped(wire::EntryKind kind, std::uint64_t object, unsigned size, Pc pc) {
    stamps_[count() % kCapacity] = __rdtsc();
    append(static_cast<std::uint64_t>(kind) << 48 | kStamped, object, size, pc);
  }

  // Gives a time stamp to the last event, which was added without one.
  void stamp_last();

  void clear() { end_.store(0, std::memory_order_release); }

  // The events [first(), count()) can be read. A copy is valid if its index is still in that range
  // afterwards.
  std::uint64_t count() const { return end_.load(std::memory_order_acquire) / sizeof(Packed); }
  std::uint64_t first() const {
    const std::uint64_t count = this->count();
    // One less than the capacity, because the next entry may be half written.
    return count < kCapacity ? 0 : count - kCapacity + 1;
  }
  // `now` is the time of the thread at some moment after it wrote the entry. The entry holds only
  // the low 16 bits of its time; `now` gives the rest, since time advances no faster than entries
  // come.
  HistoryEntry at(std::uint64_t index, std::uint64_t now) const;

 private:
  friend struct DebuggerTable;

  struct Packed {
    std::uint64_t object;  // 48 bits, kind, size
    std::uint64_t pc;      // 48 bits, the low ones of the time
  };
  static constexpr std::uint64_t kStamped = std::uint64_t{1} << 55;

  void append(std::uint64_t kind, std::uint64_t object, unsigned size, Pc pc) {
    const std::uint64_t end = end_.load(std::memory_order_relaxed);
    // The end is always a multiple of the size of an entry.
    auto* const bytes = reinterpret_cast<char*>(entries_) + end % (kCapacity * sizeof(Packed));
    *reinterpret_cast<Packed*>(bytes) = {object | kind | std::uint64_t{size} << 56, pc | time_};
    end_.store(end + sizeof(Packed), std::memory_order_release);
  }

  Packed* entries_ = nullptr;
  std::uint64_t* stamps_ = nullptr;
  std::atomic<std::uint64_t> end_ = 0;  // in bytes
  std::uint64_t time_ = 0;              // its low 16 bits, shifted to where an entry has them
};

}  // namespace omnium::runtime
