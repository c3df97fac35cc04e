// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Accesses and shadow cells: which dependencies an access has, and what its cell says afterwards.
//
// Two facts make most accesses cheap. A dependency matters only if its source is live
// (state/epoch.h). And an access of an idle thread, which is in no transaction and not reached from
// an open one, is dead from the beginning: cells need not mention it.
//
// An access passes these steps until one of them ends it, from the fastest to the slowest:
//   is_repeated_at     it would leave its cells as they are: almost all accesses end here
//   mark_fast          the thread's own chunk, with plain stores (marking.h)
//   mark_shared_fast   a shared chunk, cells with one writer and one reader
//   mark_shared_slow   a shared chunk, any cell that can be changed without its lock
//   check_access       any cell and any state of the thread: locks cells, finds dependencies
// If the thread is not in its usual state, mark_slow takes the place of the steps in between.
// events/access.h combines these steps with those of the recorder.
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
  wire::Atomicity atomicity = wire::Atomicity::kPlain;

  bool is_atomic() const { return atomicity != wire::Atomicity::kPlain; }
  Sink sink() const { return {address, pc, size, atomicity}; }
};

// Would the access leave the cell as it is? For almost every access of a program the answer is yes.
template <bool kWrite>
inline bool is_repeated(const Quick& quick, Cell cell, unsigned bytes) {
  const std::uint64_t word = cell.word();
  if (kWrite && bytes == kAllBytes) return word == quick.written || word == quick.idle;
  if (word == (bytes == kAllBytes ? quick.known : quick.idle)) return true;
  const CellDifference difference(cell, Cell::from_word(quick.now));
  if (difference.is_in_form()) return false;
  const bool wrote = !difference.is_in_written(bytes);
  if (kWrite) return wrote && (cell.read().bytes() & bytes) == 0;
  return wrote || !difference.is_in_read(bytes);
}

template <unsigned kSize, bool kWrite>
inline bool is_repeated_at(const Quick& quick, std::uintptr_t address, const AtomicCell* cells) {
  const Cell first = cells->load(std::memory_order_acquire);
  if constexpr (kSize < 4) {
    const unsigned bytes = ((1u << kSize) - 1) << address % 4;
    return bytes <= kAllBytes && is_repeated<kWrite>(quick, first, bytes);
  } else {
    if (address % 4 != 0 || !is_repeated<kWrite>(quick, first, kAllBytes)) return false;
    // Most often the other cells are equal to the first.
    for (unsigned i = 1; i < kSize / 4; ++i) {
      const Cell next = cells[i].load(std::memory_order_acquire);
      if (next != first && !is_repeated<kWrite>(quick, next, kAllBytes)) return false;
    }
    return true;
  }
}

// Checks a part of a range, of up to 16 bytes, unless it is a repetition.
void check_part_of_range(std::uintptr_t address, std::size_t size, bool write, Pc pc);

// The cells of an atomic operation are locked before it happens, and marked and unlocked
// afterwards. So are those of a recorded access. A read-modify-write is a write. `contents` has
// room for kMostCells, since the address need not be aligned.
inline constexpr unsigned kMostCells = 5;
void lock_cells(ThreadState& thread, const Access& access, Cell* contents);
// Would the access leave its cells, which are locked, as they were?
bool is_repeated(const ThreadState& thread, const Access& access, const Cell* contents);
// The operation did not happen, or changes nothing: unlocks the cells as they were.
void restore_cells(ThreadState& thread, const Access& access, const Cell* contents);
void mark_locked(ThreadState& thread, const Access& access, const Cell* contents, bool write);

// Before mark_locked, inside a block that may be cut: whether the part of the block has only read
// this variable so far, and atomically.
void remember_attempt(ThreadState& thread, const Access& access, const Cell* contents, bool write);

// Locks, reader-writer locks and meetings.
void acquire_object(ThreadState& thread, const void* object, Pc pc);
void release_object(ThreadState& thread, const void* object);
void read_or_write_object(ThreadState& thread, const void* object, bool write, Pc pc);
void contribute_to_object(ThreadState& thread, const void* object);
void collect_from_object(ThreadState& thread, const void* meeting, const void* object, Pc pc);

// Unlocks the cells of a thread that does not exist in this process any more (after a fork).
void unlock_cells(ThreadState& thread);

}  // namespace omnium::runtime
