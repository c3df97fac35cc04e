// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Chunks of memory that only one thread has marks in (shadow/map.h). All of these marks are its
// own: its accesses have no dependencies there, and nobody else changes the cells, so that it needs
// no atomic operations. It changes them while ThreadState::where says kMarking; who wants to make
// the chunk a shared one announces that in the chunk's owner and waits until the thread has been
// seen elsewhere. membarrier(2) stands in for the fence that the owner does without.
#pragma once

#include <atomic>

#include "runtime/shadow/map.h"
#include "runtime/thread.h"

namespace omnium::runtime {

// Asks the kernel for what the waiting needs. Without it no chunk is ever owned.
void prepare_ownership();

// Before the thread marks a cell in the chunk in any other way than by mark_own: makes the chunk
// its own or a shared one.
void enter_chunk(ThreadState& thread, std::atomic<Owner>& chunk);

// While cells are cleaned, owners use atomic operations like everybody else.
void suspend_owners();  // holds when every thread has been outside of the runtime since
void resume_owners();

// May cells of the chunk be changed by others? Not those of an owner that came while owners were
// suspended.
bool may_be_changed(std::atomic<Owner>& chunk);

// Around a fork.
void lock_owners();
void unlock_owners();

namespace own {

// The cell after an access of these bytes; false: the general way must decide.
template <bool kWrite>
inline bool change(const ThreadState& thread, std::uint64_t& cell, unsigned bytes) {
  if (cell >> 60 != 0) return false;
  std::uint64_t written = written_field(cell), read = read_field(cell);
  std::uint64_t& changed = kWrite ? written : read;
  unsigned all = bytes;
  if (value_of(changed) == thread.now) {
    all |= bytes_of(changed);
  } else if ((bytes_of(changed) & ~bytes) != 0 && is_live(value_of(changed))) {
    return false;  // two stories in one word
  }
  changed = field(all, thread.now);
  if (kWrite)
    read = (bytes_of(read) & ~bytes) == 0 ? 0 : field(bytes_of(read) & ~bytes, value_of(read));
  cell = make_cell(Form::kPlain, written, read);
  return true;
}

template <unsigned kSize, bool kWrite>
inline bool mark(const ThreadState& thread, std::uintptr_t address) {
  Cell* const cells = cell_at(address);
  if constexpr (kSize < 4) {
    const unsigned bytes = ((1u << kSize) - 1) << address % 4;
    std::uint64_t cell = cells->load(std::memory_order_relaxed);
    if (bytes > kAllBytes || !change<kWrite>(thread, cell, bytes)) return false;
    cells->store(cell, std::memory_order_release);
  } else {
    if (address % 4 != 0) return false;
    std::uint64_t old[kSize / 4], forms = 0;
    for (unsigned i = 0; i < kSize / 4; ++i) {
      forms |= old[i] = cells[i].load(std::memory_order_relaxed);
    }
    if (forms >> 60 != 0) return false;
    for (unsigned i = 0; i < kSize / 4; ++i) {
      cells[i].store(
          kWrite ? thread.now_field << kFieldBits : (old[i] & ~kFieldMask) | thread.now_field,
          std::memory_order_release);
    }
  }
  return true;
}

}  // namespace own

// An access that is no repetition, in a chunk of the thread's own. False: nothing was done.
template <unsigned kSize, bool kWrite>
inline bool mark_own(ThreadState& thread, std::uintptr_t address, Pc pc) {
  if (!thread.recording || thread.muted + thread.ignored != 0 ||
      thread.where.load(std::memory_order_relaxed) != Where::kOutside) {
    return false;
  }
  thread.where.store(Where::kMarking, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  bool done = false;
  if (owner_at(address).load(std::memory_order_relaxed) == thread.chunk_owner &&
      address % kChunk <= kChunk - kSize && own::mark<kSize, kWrite>(thread, address)) {
    thread.dirty = done = true;
    thread.history.add(kWrite ? live::EntryKind::kWrite : live::EntryKind::kRead, address, kSize,
                       pc, thread.time());
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);
  thread.where.store(Where::kOutside, std::memory_order_release);
  return done;
}

}  // namespace omnium::runtime
