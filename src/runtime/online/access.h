// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Accesses and shadow cells: which dependencies an access has, and what the cell remembers of it.
//
// Two facts make most accesses free. A dependency matters only if its source is live (epoch.h). And
// an access outside of every transaction that no open transaction reaches is dead on arrival: it
// need not be remembered at all.
#pragma once

#include <cstdint>

#include "runtime/online/marking.h"
#include "runtime/online/reach.h"
#include "runtime/options.h"
#include "runtime/shadow/map.h"
#include "runtime/thread.h"
#include "wire/protocol.h"

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
inline bool is_repeated(const Quick& quick, std::uint64_t cell, unsigned bytes) {
  if (kWrite && bytes == kAllBytes) return cell == quick.written || cell == quick.idle;
  if (cell == (bytes == kAllBytes ? quick.known : quick.idle)) return true;
  // A field is like the current one in the epoch and in these bytes; the form must be plain.
  const std::uint64_t wanted = field(bytes, kEpochMask), other = cell ^ quick.now;
  if (other >> 60 != 0) return false;
  const bool wrote = (other >> kFieldBits & wanted) == 0;
  if (kWrite) return wrote && (bytes_of(read_field(cell)) & bytes) == 0;
  return wrote || (other & wanted) == 0;
}

[[gnu::noinline]] void record_memory(std::uintptr_t address, Pc pc, std::size_t size, bool write);
[[gnu::noinline]] void access_range(std::uintptr_t address, std::size_t size, bool write, Pc pc);

template <unsigned kSize, bool kWrite>
inline bool is_repeated_at(const Quick& quick, std::uintptr_t address, const Cell* cells) {
  const std::uint64_t first = cells->load(std::memory_order_acquire);
  if constexpr (kSize < 4) {
    const unsigned bytes = ((1u << kSize) - 1) << address % 4;
    return bytes <= kAllBytes && is_repeated<kWrite>(quick, first, bytes);
  } else {
    if (address % 4 != 0 || !is_repeated<kWrite>(quick, first, kAllBytes)) return false;
    // The other words mostly have the same story.
    for (unsigned i = 1; i < kSize / 4; ++i) {
      const std::uint64_t next = cells[i].load(std::memory_order_acquire);
      if (next != first && !is_repeated<kWrite>(quick, next, kAllBytes)) return false;
    }
    return true;
  }
}

// In a chunk that the thread has entered; false: another way must be taken.
template <unsigned kSize, bool kWrite>
[[gnu::always_inline]] inline bool record_simply(std::uintptr_t address, Pc pc,
                                                 ThreadState& thread) {
  const std::uint32_t state = thread.state.load(std::memory_order_relaxed);
  if (address % 8 + kSize > 8 || (state & (kInside | kMarking | kBlind)) != 0) return false;
  start_marking(thread, state);
  const Owner owner = owner_at(address).load(std::memory_order_acquire);
  const bool alone = owner == thread.chunk_owner, entered = alone || owner == kShared;
  if (entered) record::access_cell<kSize, kWrite>(*thread.log, address, alone, pc);
  stop_marking(thread, state);
  return entered;
}

template <unsigned kSize, bool kWrite>
[[gnu::noinline]] void on_recorded_and_checked_access(std::uintptr_t address, Pc pc,
                                                      ThreadState& thread) {
  if (!record_simply<kSize, kWrite>(address, pc, thread)) {
    record_memory(address, pc, kSize, kWrite);
  }
  if (!is_repeated_at<kSize, kWrite>(quick_cells(thread), address, cell_at(address))) {
    access_memory(address, pc, kSize, kWrite);
  }
}

template <unsigned kSize, bool kWrite>
void on_recorded_access(std::uintptr_t address, Pc pc, ThreadState& thread) {
  if (options.checks) return on_recorded_and_checked_access<kSize, kWrite>(address, pc, thread);
  if (record_simply<kSize, kWrite>(address, pc, thread)) return;
  record_memory(address, pc, kSize, kWrite);
}

template <unsigned kSize, bool kWrite>
[[gnu::always_inline]] inline void on_access(const void* pointer, Pc pc) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  ThreadState& thread = *tls_thread;
  Cell* const cells = cell_at(address);
  if (is_repeated_at<kSize, kWrite>(thread.quick, address, cells)) return;
  on_new_access<kSize, kWrite>(address, pc, thread, cells);
}

// An atomic operation: its cells are locked from before it happens until they know of it.
class AtomicOperation {
 public:
  AtomicOperation(const void* address, unsigned size, Pc pc);
  void finish(bool read, bool write);
  // Instead: a write, before which everybody forgets what was there.
  void write_anew();

 private:
  void mark(bool read, bool write);
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
inline void update_recording(ThreadState& thread) {
  if (thread.recording() &&
      thread.transaction.load(std::memory_order_relaxed) == Transaction::kClosed &&
      slots[thread.slot].reached_from.load(std::memory_order_relaxed) == kNever) {
    set_recording(thread, false);
  }
}

}  // namespace omnium::runtime
