// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The quick ways to mark an access that is no repetition: in a chunk of the thread's own with plain
// stores, in a shared one with a compare-and-swap, if no live dependency leads here.
#pragma once

#include <cstdint>

#include "runtime/online/simple_access.h"
#include "runtime/shadow/map.h"
#include "runtime/thread.h"

namespace omnium::runtime {

// The general way: an access of up to 16 bytes.
[[gnu::noinline]] void access_memory(std::uintptr_t address, Pc pc, unsigned size, bool write);

// The cell after an access of these bytes; false: the general way must decide.
template <bool kWrite>
inline bool change_own(const ThreadState& thread, std::uint64_t& cell, unsigned bytes) {
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
  if (kWrite) {
    const unsigned still = bytes_of(read) & ~bytes;
    read = still == 0 ? 0 : field(still, value_of(read));
  }
  cell = make_cell(Form::kPlain, written, read);
  return true;
}

template <unsigned kSize, bool kWrite>
inline bool mark_own(const ThreadState& thread, std::uintptr_t address) {
  Cell* const cells = cell_at(address);
  if constexpr (kSize < 4) {
    const unsigned bytes = ((1u << kSize) - 1) << address % 4;
    std::uint64_t cell = cells->load(std::memory_order_relaxed);
    if (!change_own<kWrite>(thread, cell, bytes)) return false;
    cells->store(cell, std::memory_order_release);
  } else {
    std::uint64_t old[kSize / 4], forms = 0;
    for (unsigned i = 0; i < kSize / 4; ++i) {
      forms |= old[i] = cells[i].load(std::memory_order_relaxed);
    }
    if (forms >> 60 != 0) return false;
    const std::uint64_t now = thread.now_field;
    for (unsigned i = 0; i < kSize / 4; ++i) {
      cells[i].store(kWrite ? now << kFieldBits : (old[i] & ~kFieldMask) | now,
                     std::memory_order_release);
    }
  }
  return true;
}

template <unsigned kSize, bool kWrite>
inline Marked mark_shared(ThreadState& thread, std::uintptr_t address) {
  Cell* const cells = cell_at(address);
  if constexpr (kSize <= 4) {
    const unsigned bytes = ((1u << kSize) - 1) << address % 4;
    return access_simply<kWrite>(thread, *cells, bytes);
  } else if constexpr (kSize == 8) {
    return access_pair_simply<kWrite>(thread, cells);
  } else {
    return Marked::kNot;
  }
}

// While a thread marks: signal handlers do not, and who shares its chunks waits. Returns the state
// to go back to; false if it may not mark.
inline bool start_marking(ThreadState& thread, std::uint32_t& state) {
  state = thread.state.load(std::memory_order_relaxed);
  if ((state & ~kIdle) != 0) return false;
  thread.state.store(state | kMarking, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  return true;
}

inline void stop_marking(ThreadState& thread, std::uint32_t state) {
  std::atomic_signal_fence(std::memory_order_seq_cst);
  thread.state.store(state, std::memory_order_release);
}

template <unsigned kSize, bool kWrite>
inline void note_marked(ThreadState& thread, std::uintptr_t address, Pc pc) {
  thread.history.add(kWrite ? live::EntryKind::kWrite : live::EntryKind::kRead, address, kSize, pc,
                     thread.time());
}

// The rest of on_new_access where the chunk is not the thread's own; it is marking.
template <unsigned kSize, bool kWrite>
[[gnu::noinline]] void on_shared_access(std::uintptr_t address, Pc pc, ThreadState& thread) {
  const std::uint32_t state = thread.state.load(std::memory_order_relaxed) & ~kMarking;
  Marked marked = Marked::kNot;
  if (owner_at(address).load(std::memory_order_acquire) == kShared) {
    marked = mark_shared<kSize, kWrite>(thread, address);
    if (marked == Marked::kNow && state == 0) note_marked<kSize, kWrite>(thread, address, pc);
  }
  stop_marking(thread, state);
  // The general way may find part of it done.
  if (marked == Marked::kNot) access_memory(address, pc, kSize, kWrite);
}

// An access that is no repetition.
template <unsigned kSize, bool kWrite>
[[gnu::noinline]] void on_new_access(std::uintptr_t address, Pc pc, ThreadState& thread) {
  std::uint32_t state;
  if (address % kSize != 0 || !start_marking(thread, state)) {
    return access_memory(address, pc, kSize, kWrite);
  }
  const bool mine = owner_at(address).load(std::memory_order_relaxed) == thread.chunk_owner;
  if (mine && state == kIdle) return stop_marking(thread, state);
  if (!mine || !mark_own<kSize, kWrite>(thread, address)) {
    return on_shared_access<kSize, kWrite>(address, pc, thread);
  }
  thread.dirty = true;
  note_marked<kSize, kWrite>(thread, address, pc);
  stop_marking(thread, state);
}

}  // namespace omnium::runtime
