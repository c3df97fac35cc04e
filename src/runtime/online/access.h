// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Accesses and shadow cells: which dependencies an access has, and what the cell remembers of it.
//
// Two facts make most accesses free. A dependency matters only if its source is live (epoch.h). And
// an access outside of every transaction that no open transaction reaches is dead on arrival: it
// need not be remembered at all.
#pragma once

#include <cstdint>

#include "live/protocol.h"
#include "runtime/online/marking.h"
#include "runtime/online/reach.h"
#include "runtime/options.h"
#include "runtime/shadow/map.h"
#include "runtime/thread.h"

namespace omnium::runtime {

struct Access {
  std::uintptr_t address;
  Pc pc;
  std::uint8_t size;  // of the whole access; 0: a range
  bool write;
  bool atomic;

  Sink sink() const { return {address, pc, size, atomic}; }
};

// Would the access change nothing? The question that almost every access of a program ends with.
template <bool kWrite>
inline bool is_repeated(const ThreadState& thread, std::uint64_t cell, unsigned bytes) {
  if (bytes == kAllBytes) {
    if (kWrite) return cell == thread.now_field << kFieldBits || cell == thread.idle_cell;
    return (cell & ~(kFieldMask << kFieldBits)) == thread.now_field ||
           cell >> kFieldBits == thread.now_field || cell == thread.known_cell;
  }
  if (cell == thread.idle_cell) return true;
  if (cell >> 60 != 0) return false;
  const std::uint64_t written = written_field(cell), read = read_field(cell);
  const bool wrote = value_of(written) == thread.now && (bytes & ~bytes_of(written)) == 0;
  if (kWrite) return wrote && (bytes_of(read) & bytes) == 0;
  return wrote || (value_of(read) == thread.now && (bytes & ~bytes_of(read)) == 0);
}

[[gnu::noinline]] void record_memory(std::uintptr_t address, Pc pc, unsigned size, bool write);
[[gnu::noinline]] void access_range(std::uintptr_t address, std::size_t size, bool write, Pc pc);

template <unsigned kSize, bool kWrite>
inline bool is_repeated_at(const ThreadState& thread, std::uintptr_t address) {
  const Cell* cell = cell_at(address);
  if constexpr (kSize < 4) {
    const unsigned bytes = ((1u << kSize) - 1) << address % 4;
    return bytes <= kAllBytes &&
           is_repeated<kWrite>(thread, cell->load(std::memory_order_acquire), bytes);
  } else if constexpr (kSize == 4) {
    return address % 4 == 0 &&
           is_repeated<kWrite>(thread, cell->load(std::memory_order_acquire), kAllBytes);
  } else if constexpr (kSize == 8) {
    // Two words, mostly with the same story.
    const std::uint64_t low = cell[0].load(std::memory_order_acquire);
    const std::uint64_t high = cell[1].load(std::memory_order_acquire);
    return address % 4 == 0 && is_repeated<kWrite>(thread, low, kAllBytes) &&
           (high == low || is_repeated<kWrite>(thread, high, kAllBytes));
  } else {
    return is_repeated_at<kSize / 2, kWrite>(thread, address) &&
           is_repeated_at<kSize / 2, kWrite>(thread, address + kSize / 2);
  }
}

template <unsigned kSize, bool kWrite>
[[gnu::noinline]] void on_recorded_access(std::uintptr_t address, Pc pc) {
  if (!record::is_redundant_at<kSize, kWrite>(*tls_thread->log, address)) {
    record_memory(address, pc, kSize, kWrite);
  }
  if (options.checks && !is_repeated_at<kSize, kWrite>(*tls_thread, address)) {
    on_new_access<kSize, kWrite>(address, pc, *tls_thread);
  }
}

template <unsigned kSize, bool kWrite>
inline void on_access(const void* pointer, Pc pc) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  ThreadState& thread = *tls_thread;
  if (thread.log != nullptr) [[unlikely]]
    return on_recorded_access<kSize, kWrite>(address, pc);
  if (is_repeated_at<kSize, kWrite>(thread, address)) return;
  on_new_access<kSize, kWrite>(address, pc, thread);
}

// An atomic operation: its cells are locked from before it happens until they know of it.
class AtomicOperation {
 public:
  AtomicOperation(const void* address, unsigned size, Pc pc);
  void forget();  // what the cells hold
  void finish(bool read, bool write);

 private:
  bool looks() const { return inside_ && inside_.thread().ignored == 0; }

  Inside inside_;
  Access access_;
  std::uint64_t contents_[4];
};

// May an atomic load that was just made stand as it is?
inline bool is_plain_load(const ThreadState& thread, std::uint64_t cell) {
  return cell == 0 && !thread.recording() && thread.log == nullptr;
}

// Locks, reader-writer locks and meetings.
void acquire_object(ThreadState& thread, const void* object, Pc pc);
void release_object(ThreadState& thread, const void* object);
void access_object(ThreadState& thread, const void* object, bool write, Pc pc);
void contribute_to_object(ThreadState& thread, const void* object);
void collect_from_object(ThreadState& thread, const void* meeting, const void* object, Pc pc);

// Whatever the thread has locked: it does not exist any more.
void unlock_cells(ThreadState& thread);

// Are the thread's accesses still worth remembering? Others may have ended what reached it.
void update_recording(ThreadState& thread);

}  // namespace omnium::runtime
