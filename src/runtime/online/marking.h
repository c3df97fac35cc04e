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

// Of a thread that is recorded.
template <unsigned kSize, bool kWrite>
void on_recorded_access(std::uintptr_t address, Pc pc, ThreadState& thread);

// The bytes of its word that an access of this size touches.
template <unsigned kSize>
inline unsigned bytes_at(std::uintptr_t address) {
  return kSize < 4 ? ((1u << kSize) - 1) << address % 4 : kAllBytes;
}

template <unsigned kSize, bool kWrite>
inline bool mark_own(ThreadState& thread, std::uintptr_t address, Cell* cells) {
  if constexpr (kSize < 4) {
    std::uint64_t cell = cells->load(std::memory_order_relaxed);
    if (!change_plain<kWrite>(thread, cell, bytes_at<kSize>(address))) return false;
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

// The commonest stories of shared cells; false: part of it may be done.
template <unsigned kSize, bool kWrite>
[[gnu::always_inline]] inline bool mark_plain(ThreadState& thread, std::uintptr_t address,
                                              Cell* cells) {
  if constexpr (kSize == 16) {
    return mark_plain<8, kWrite>(thread, address, cells) &&
           mark_plain<8, kWrite>(thread, address + 8, cells + 2);
  } else {
    std::uint64_t old = cells[0].load(std::memory_order_acquire), fresh = old;
    if (kSize == 8 && cells[1].load(std::memory_order_acquire) != old) return false;
    const unsigned bytes = bytes_at<kSize>(address);
    if (!leave_out_others(thread, fresh, bytes)) return false;
    if (!change_plain<kWrite>(thread, fresh, bytes)) return false;
    thread.dirty = true;
    if constexpr (kWrite && kSize >= 4) {
      cells[0].store(fresh, std::memory_order_release);
      if constexpr (kSize == 8) cells[1].store(fresh, std::memory_order_release);
      return true;
    } else if constexpr (kSize == 8) {
      return change_pair(cells, old, fresh);
    } else {
      return cells->compare_exchange_strong(old, fresh, std::memory_order_acq_rel);
    }
  }
}

template <unsigned kSize, bool kWrite>
inline Marked mark_shared(ThreadState& thread, std::uintptr_t address, Cell* cells) {
  if constexpr (kSize <= 4) {
    return access_simply<kWrite>(thread, *cells, bytes_at<kSize>(address));
  } else if constexpr (kSize == 8) {
    return access_pair_simply<kWrite>(thread, cells);
  } else {
    const Marked low = access_pair_simply<kWrite>(thread, cells);
    if (low == Marked::kNot) return low;
    const Marked high = access_pair_simply<kWrite>(thread, cells + 2);
    return high == Marked::kBefore ? low : high;
  }
}

// One that can be marked in one chunk, pair by pair.
template <unsigned kSize>
inline bool is_simple_address(std::uintptr_t address) {
  if (kSize < 16) return address % kSize == 0;
  return address % 8 == 0 && address % kChunk != kChunk - 8;
}

// While a thread marks: signal handlers do not, and who shares its chunks waits.
inline void start_marking(ThreadState& thread, std::uint32_t state) {
  thread.state.store(state | kMarking, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

inline void stop_marking(ThreadState& thread, std::uint32_t state) {
  std::atomic_signal_fence(std::memory_order_seq_cst);
  thread.state.store(state, std::memory_order_release);
}

template <unsigned kSize, bool kWrite>
inline void note_marked(ThreadState& thread, std::uintptr_t address, Pc pc) {
  thread.history.add(kWrite ? live::EntryKind::kWrite : live::EntryKind::kRead, address, kSize, pc);
}

// In a shared chunk, where it is not that simple; the thread is marking.
template <unsigned kSize, bool kWrite>
[[gnu::noinline]] void on_complicated_access(std::uintptr_t address, Pc pc, ThreadState& thread,
                                             Cell* cells) {
  const std::uint32_t state = thread.state.load(std::memory_order_relaxed) & ~kMarking;
  Marked marked = Marked::kNot;
  if (owner_at(address).load(std::memory_order_acquire) == kShared) {
    marked = mark_shared<kSize, kWrite>(thread, address, cells);
    if (marked == Marked::kNow && state == 0) note_marked<kSize, kWrite>(thread, address, pc);
  }
  stop_marking(thread, state);
  // The general way may find part of it done.
  if (marked == Marked::kNot) access_memory(address, pc, kSize, kWrite);
}

// The rest of on_new_access where the chunk is not the thread's own; it is marking.
template <unsigned kSize, bool kWrite>
[[gnu::noinline]] void on_shared_access(std::uintptr_t address, Pc pc, ThreadState& thread,
                                        Cell* cells) {
  if (owner_of(*cells).load(std::memory_order_acquire) != kShared ||
      !mark_plain<kSize, kWrite>(thread, address, cells)) {
    return on_complicated_access<kSize, kWrite>(address, pc, thread, cells);
  }
  note_marked<kSize, kWrite>(thread, address, pc);
  stop_marking(thread, 0);
}

// Of a thread that may not simply mark, or at an address that compilers do not expect.
template <unsigned kSize, bool kWrite>
[[gnu::noinline]] void on_unusual_access(std::uintptr_t address, Pc pc, ThreadState& thread) {
  const std::uint32_t state = thread.state.load(std::memory_order_relaxed);
  if ((state & kRecorded) != 0) return on_recorded_access<kSize, kWrite>(address, pc, thread);
  if (!options.checks) return;
  if (!is_simple_address<kSize>(address) || state != kIdle)
    return access_memory(address, pc, kSize, kWrite);
  // In a chunk of its own an idle thread has nothing to learn.
  if (owner_at(address).load(std::memory_order_relaxed) == thread.chunk_owner) return;
  start_marking(thread, state);
  on_complicated_access<kSize, kWrite>(address, pc, thread, cell_at(address));
}

// An access that is no repetition.
template <unsigned kSize, bool kWrite>
[[gnu::always_inline]] inline void on_new_access(std::uintptr_t address, Pc pc, ThreadState& thread,
                                                 Cell* cells) {
  if (!is_simple_address<kSize>(address) || thread.state.load(std::memory_order_relaxed) != 0) {
    return on_unusual_access<kSize, kWrite>(address, pc, thread);
  }
  start_marking(thread, 0);
  if (owner_of(*cells).load(std::memory_order_relaxed) != thread.chunk_owner ||
      !mark_own<kSize, kWrite>(thread, address, cells)) {
    return on_shared_access<kSize, kWrite>(address, pc, thread, cells);
  }
  thread.dirty = true;
  note_marked<kSize, kWrite>(thread, address, pc);
  stop_marking(thread, 0);
}

}  // namespace omnium::runtime
