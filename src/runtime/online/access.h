// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Accesses and shadow cells: which dependencies an access has, and what the cell remembers of it.
//
// Two facts make most accesses free. A dependency matters only if its source is live (epoch.h). And
// an access outside of every transaction that no open transaction reaches is dead on arrival: it
// need not be remembered at all.
//
// An access passes these steps until one of them ends it, from the fastest to the slowest:
//   is_repeated_at     it would leave its cells as they are: almost all accesses end here
//   mark_fast          the thread's own chunk, with plain stores (marking.h)
//   mark_shared_fast   a shared chunk, cells with one writer and one reader
//   mark_shared_slow   a shared chunk, any cell that can be changed without its lock
//   check_access       any cell and any state of the thread: locks cells, finds dependencies
// mark_slow stands in for the steps between the first and the last where the thread is not in its
// usual state. events/access.h puts the recorder beside them.
#pragma once

#include <cstdint>

#include "runtime/online/marking.h"
#include "runtime/online/reach.h"
#include "runtime/shadow/map.h"
#include "runtime/state/thread.h"
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

// Part of a range, up to 16 bytes: checks it unless it is a repetition.
void check_part_of_range(std::uintptr_t address, std::size_t size, bool write, Pc pc);

// An atomic operation: its cells are locked before it happens, and marked and unlocked when it has.
// `contents`: of up to four cells (an address need not be aligned).
void lock_cells(ThreadState& thread, const Access& access, std::uint64_t* contents);
void mark_atomic(ThreadState& thread, const Access& access, const std::uint64_t* contents,
                 bool read, bool write);

// Locks, reader-writer locks and meetings.
void acquire_object(ThreadState& thread, const void* object, Pc pc);
void release_object(ThreadState& thread, const void* object);
void read_or_write_object(ThreadState& thread, const void* object, bool write, Pc pc);
void contribute_to_object(ThreadState& thread, const void* object);
void collect_from_object(ThreadState& thread, const void* meeting, const void* object, Pc pc);

// Unlocks whatever the thread has locked: it does not exist any more.
void unlock_cells(ThreadState& thread);

}  // namespace omnium::runtime
