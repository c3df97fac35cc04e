// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The quick ways to mark an access that is no repetition: in a chunk of the thread's own with plain
// stores, in a shared one with a compare-and-swap, if no live dependency leads here.
#pragma once

#include <cstdint>

#include "runtime/online/lock_free.h"
#include "runtime/shadow/map.h"
#include "runtime/state/thread.h"

namespace omnium::runtime {

// The general way, for an access of up to 16 bytes in any state of the thread: locks its cells,
// hands its dependencies to the reach engine, and marks them (access.cc).
[[gnu::noinline]] void check_access(std::uintptr_t address, Pc pc, unsigned size, bool write);

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
    const std::uint64_t now = kWrite ? thread.quick.written : thread.now_field;
    for (unsigned i = 0; i < kSize / 4; ++i) {
      cells[i].store(kWrite ? now : (old[i] & ~kFieldMask) | now, std::memory_order_release);
    }
  }
  return true;
}

// The cell of a word after an access of all of it, if nobody else's story matters. A write that is
// dead may stay in it.
template <bool kWrite>
[[gnu::always_inline]] inline bool change_word(ThreadState& thread, std::uint64_t& cell) {
  constexpr std::uint64_t kReader = field(kAllBytes, epoch_of(kSlots - 1, 0));
  const std::uint64_t other = cell ^ thread.quick.now;
  if (other >> 60 != 0) return false;
  // Who has read all of it since the last write has seen that.
  if ((other & kReader) != 0 && (!is_own_or_dead(thread, value_of(read_field(cell))) ||
                                 !is_own_or_dead(thread, value_of(written_field(cell))))) {
    return false;
  }
  cell = kWrite ? thread.quick.written : (cell & ~kFieldMask) | thread.now_field;
  return true;
}

// The same for some bytes of a word, of which neighbours were accessed a moment ago.
template <bool kWrite>
[[gnu::always_inline]] inline bool change_next_bytes(ThreadState& thread, std::uint64_t& cell,
                                                     unsigned bytes) {
  if (cell >> 60 != 0) return false;
  const std::uint64_t changed = kWrite ? written_field(cell) : read_field(cell);
  const std::uint64_t kept = kWrite ? read_field(cell) : written_field(cell);
  if (changed != 0 && value_of(changed) != thread.now) return false;
  if (kept != 0 && slot_of(value_of(kept)) != thread.slot) return false;
  const std::uint64_t fresh = field(bytes, thread.now);
  if constexpr (kWrite) {
    cell = (cell | fresh << kFieldBits) & ~field(bytes, 0);
    if (bytes_of(read_field(cell)) == 0) cell &= ~kFieldMask;
  } else {
    cell |= fresh;
  }
  return true;
}

// In a shared chunk.
template <unsigned kSize, bool kWrite>
[[gnu::always_inline]] inline bool mark_next_bytes(ThreadState& thread, std::uintptr_t address,
                                                   Cell* cells) {
  if constexpr (kSize >= 4) return false;
  std::uint64_t old = cells->load(std::memory_order_acquire), fresh = old;
  return change_next_bytes<kWrite>(thread, fresh, bytes_at<kSize>(address)) &&
         cells->compare_exchange_strong(old, fresh, std::memory_order_acq_rel);
}

template <unsigned kSize, bool kWrite>
[[gnu::always_inline]] inline bool change_shared(ThreadState& thread, std::uintptr_t address,
                                                 std::uint64_t& cell) {
  if constexpr (kSize >= 4) {
    return change_word<kWrite>(thread, cell);
  } else {
    const unsigned bytes = bytes_at<kSize>(address);
    return leave_out_others(thread, cell, bytes) && change_plain<kWrite>(thread, cell, bytes);
  }
}

// The commonest stories of shared cells; false: part of it may be done.
template <unsigned kSize, bool kWrite>
[[gnu::always_inline]] inline bool mark_plain_shared(ThreadState& thread, std::uintptr_t address,
                                                     Cell* cells) {
  if constexpr (kSize == 16) {
    return mark_plain_shared<8, kWrite>(thread, address, cells) &&
           mark_plain_shared<8, kWrite>(thread, address + 8, cells + 2);
  } else {
    std::uint64_t old = cells[0].load(std::memory_order_acquire), fresh = old;
    if (kSize == 8 && cells[1].load(std::memory_order_acquire) != old) return false;
    if (!change_shared<kSize, kWrite>(thread, address, fresh)) return false;
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
inline Marked mark_without_lock(ThreadState& thread, std::uintptr_t address, Cell* cells) {
  if constexpr (kSize <= 4) {
    return mark_cell_without_lock<kWrite>(thread, *cells, bytes_at<kSize>(address));
  } else if constexpr (kSize == 8) {
    return mark_pair_without_lock<kWrite>(thread, cells);
  } else {
    const Marked low = mark_pair_without_lock<kWrite>(thread, cells);
    if (low == Marked::kNot) return low;
    const Marked high = mark_pair_without_lock<kWrite>(thread, cells + 2);
    return high == Marked::kBefore ? low : high;
  }
}

// One that can be marked in one chunk, pair by pair.
template <unsigned kSize>
inline bool is_fast_address(std::uintptr_t address) {
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
  thread.history.add(kWrite ? wire::EntryKind::kWrite : wire::EntryKind::kRead, address, kSize, pc);
}

// Marks a cell with any story in a shared chunk. The thread is marking already, and stops here.
template <unsigned kSize, bool kWrite>
[[gnu::noinline]] void mark_shared_slow(std::uintptr_t address, Pc pc, ThreadState& thread,
                                        Cell* cells) {
  Marked marked = Marked::kNot;
  if (owner_at(address).load(std::memory_order_acquire) == kShared) {
    marked = mark_without_lock<kSize, kWrite>(thread, address, cells);
    if (marked == Marked::kNow && !thread.is_idle()) {
      note_marked<kSize, kWrite>(thread, address, pc);
    }
  }
  stop_marking(thread, thread.state.load(std::memory_order_relaxed) & ~kMarking);
  // The general way may find part of it done.
  if (marked == Marked::kNot) check_access(address, pc, kSize, kWrite);
}

// Marks a cell with a plain story in a shared chunk; the rest is slow. The thread is marking
// already, and stops here.
template <unsigned kSize, bool kWrite>
[[gnu::noinline]] void mark_shared_fast(std::uintptr_t address, Pc pc, ThreadState& thread,
                                        Cell* cells) {
  if (owner_of(*cells).load(std::memory_order_acquire) != kShared ||
      !mark_plain_shared<kSize, kWrite>(thread, address, cells)) {
    return mark_shared_slow<kSize, kWrite>(address, pc, thread, cells);
  }
  note_marked<kSize, kWrite>(thread, address, pc);
  stop_marking(thread, kDirty);
}

// May the access take the fast path? Not if the thread is in any state but kDirty, or if the
// address is one that compilers do not produce.
template <unsigned kSize>
[[gnu::always_inline]] inline bool may_mark_fast(std::uint32_t state, std::uintptr_t address) {
  return is_fast_address<kSize>(address) && (state & ~kDirty) == 0;
}

// The fast path of an access that is no repetition: in a chunk of the thread's own, or of the bytes
// next to those that it accessed last; other accesses to shared chunks go on in mark_shared_fast.
template <unsigned kSize, bool kWrite>
[[gnu::always_inline]] inline void mark_fast(std::uintptr_t address, Pc pc, ThreadState& thread,
                                             Cell* cells) {
  start_marking(thread, kDirty);
  const Owner owner = owner_of(*cells).load(std::memory_order_acquire);
  const bool marked =
      owner == thread.chunk_owner
          ? mark_own<kSize, kWrite>(thread, address, cells)
          : owner == kShared && mark_next_bytes<kSize, kWrite>(thread, address, cells);
  if (!marked) return mark_shared_fast<kSize, kWrite>(address, pc, thread, cells);
  note_marked<kSize, kWrite>(thread, address, pc);
  stop_marking(thread, kDirty);
}

// The slow path of an access that may not be marked fast: the first one in a block gets its time
// stamp, an idle thread only looks, and the general way does the rest.
template <unsigned kSize, bool kWrite>
[[gnu::noinline]] void mark_slow(std::uintptr_t address, Pc pc, ThreadState& thread) {
  std::uint32_t state = thread.state.load(std::memory_order_relaxed);
  if ((state & (kUnplaced | kInside | kMarking)) == kUnplaced) {
    place_last(thread);
    state &= ~kUnplaced;
    if (may_mark_fast<kSize>(state, address)) {
      return mark_fast<kSize, kWrite>(address, pc, thread, cell_at(address));
    }
  }
  if (!is_fast_address<kSize>(address) || (state & ~kDirty) != kIdle)
    return check_access(address, pc, kSize, kWrite);
  // In a chunk of its own an idle thread has nothing to learn.
  if (owner_at(address).load(std::memory_order_relaxed) == thread.chunk_owner) return;
  start_marking(thread, state);
  mark_shared_slow<kSize, kWrite>(address, pc, thread, cell_at(address));
}

}  // namespace omnium::runtime
