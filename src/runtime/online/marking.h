// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The fast ways to mark an access that is no repetition: with plain stores in a chunk of the
// thread's own, and with a compare-and-swap in a shared chunk, if the access has no live
// dependency.
#pragma once

#include <cstdint>

#include "runtime/online/local_time.h"
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
inline bool mark_own(ThreadState& thread, std::uintptr_t address, AtomicCell* cells) {
  if constexpr (kSize < 4) {
    Cell cell = cells->load(std::memory_order_relaxed);
    if (!change_plain<kWrite>(thread, cell, bytes_at<kSize>(address))) return false;
    cells->store(cell, std::memory_order_release);
  } else {
    Cell old[kSize / 4];
    for (unsigned i = 0; i < kSize / 4; ++i) old[i] = cells[i].load(std::memory_order_relaxed);
    if (!Cell::are_plain(old)) return false;
    const Cell written = Cell::from_word(thread.quick.written);
    const Field read = now_field(thread);
    for (unsigned i = 0; i < kSize / 4; ++i) {
      cells[i].store(kWrite ? written : old[i].with_read(read), std::memory_order_release);
    }
  }
  return true;
}

// Changes the cell as an access of the whole word does. False if a live epoch of another thread may
// be in the cell. (A dead write may stay there: it will be found dead again.)
template <bool kWrite>
[[gnu::always_inline]] inline bool change_word(ThreadState& thread, Cell& cell) {
  const CellDifference difference(cell, Cell::from_word(thread.quick.now));
  if (difference.is_in_form()) return false;
  // If this thread has read the whole word since the last write, that write is no new dependency.
  if (difference.is_in_reader() && (!is_own_or_dead(thread, cell.read().value()) ||
                                    !is_own_or_dead(thread, cell.written().value()))) {
    return false;
  }
  cell = kWrite ? Cell::from_word(thread.quick.written) : cell.with_read(now_field(thread));
  return true;
}

// Changes the cell as an access of some bytes does, if the thread accessed other bytes of the word
// a moment ago: strings are read byte by byte.
template <bool kWrite>
[[gnu::always_inline]] inline bool change_next_bytes(ThreadState& thread, Cell& cell,
                                                     unsigned bytes) {
  if (!cell.is_plain()) return false;
  const Field changed = kWrite ? cell.written() : cell.read();
  const Field kept = kWrite ? cell.read() : cell.written();
  if (!changed.is_empty() && changed.value() != thread.now) return false;
  if (!kept.is_empty() && slot_of(kept.value()) != thread.slot) return false;
  const Field fresh(bytes, thread.now);
  cell =
      kWrite ? cell.with_more_written(fresh).without_reads_of(bytes) : cell.with_more_read(fresh);
  return true;
}

// Marks such an access, in a chunk of the thread's own or in a shared one.
template <unsigned kSize, bool kWrite>
[[gnu::always_inline]] inline bool mark_next_bytes(ThreadState& thread, std::uintptr_t address,
                                                   AtomicCell* cells, bool own) {
  const Cell old = cells->load(std::memory_order_acquire);
  Cell fresh = old;
  if (!change_next_bytes<kWrite>(thread, fresh, bytes_at<kSize>(address))) return false;
  if (!own) return cells->replace(old, fresh);
  cells->store(fresh, std::memory_order_release);
  return true;
}

template <unsigned kSize, bool kWrite>
[[gnu::always_inline]] inline bool change_shared(ThreadState& thread, std::uintptr_t address,
                                                 Cell& cell) {
  if constexpr (kSize >= 4) {
    return change_word<kWrite>(thread, cell);
  } else {
    const unsigned bytes = bytes_at<kSize>(address);
    return leave_out_others(thread, cell, bytes) && change_plain<kWrite>(thread, cell, bytes);
  }
}

// Marks plain cells in a shared chunk. False if that is not possible; some cells may be marked
// then.
template <unsigned kSize, bool kWrite>
[[gnu::always_inline]] inline bool mark_plain_shared(ThreadState& thread, std::uintptr_t address,
                                                     AtomicCell* cells) {
  if constexpr (kSize == 16) {
    return mark_plain_shared<8, kWrite>(thread, address, cells) &&
           mark_plain_shared<8, kWrite>(thread, address + 8, cells + 2);
  } else {
    const Cell old = cells[0].load(std::memory_order_acquire);
    Cell fresh = old;
    if (kSize == 8 && cells[1].load(std::memory_order_acquire) != old) return false;
    if (!change_shared<kSize, kWrite>(thread, address, fresh)) return false;
    if constexpr (kWrite && kSize >= 4) {
      cells[0].store(fresh, std::memory_order_release);
      if constexpr (kSize == 8) cells[1].store(fresh, std::memory_order_release);
      return true;
    } else if constexpr (kSize == 8) {
      return cells->replace_pair(old, fresh);
    } else {
      return cells->replace(old, fresh);
    }
  }
}

template <unsigned kSize, bool kWrite>
inline Marked mark_without_lock(ThreadState& thread, std::uintptr_t address, AtomicCell* cells) {
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

// Compilers produce aligned addresses. These lie in one chunk and can be marked pair by pair.
template <unsigned kSize>
inline bool is_fast_address(std::uintptr_t address) {
  if (kSize < 16) return address % kSize == 0;
  return address % 8 == 0 && address % kChunk != kChunk - 8;
}

// Between these the thread changes cells. Signals wait meanwhile, and so does a thread that wants
// to share the chunk.
inline void start_marking(ThreadState& thread, std::uint32_t state) {
  thread.state.store(state | kMarking, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

inline void stop_marking(ThreadState& thread) {
  if (thread.leave(kMarking)) [[unlikely]]
    deliver_waiting_signals();
}

// kPart: the access is one of a range, which is accessed from its start to its end.
template <bool kWrite, bool kPart>
inline void note_marked(ThreadState& thread, std::uintptr_t address, unsigned size, Pc pc) {
  const auto kind = kWrite ? wire::EntryKind::kWrite : wire::EntryKind::kRead;
  if (kPart) return thread.history.add_part(kind, address, size, pc);
  thread.history.add(kind, address, size, pc);
}

// For an access that may depend on another thread.
template <bool kWrite, bool kPart>
inline void note_marked_or_placed(ThreadState& thread, std::uintptr_t address, unsigned size,
                                  Pc pc) {
  if (!thread.depends) return note_marked<kWrite, kPart>(thread, address, size, pc);
  add_placed(thread, kWrite ? wire::EntryKind::kWrite : wire::EntryKind::kRead, address, size, pc);
}

// May the thread mark cells in the chunk without entering it first?
inline bool may_mark_in_chunk(const ThreadState& thread, std::uintptr_t address) {
  const Owner owner = owner_at(address).load(std::memory_order_acquire);
  return owner == kShared || (owner & ~kSuspended) == thread.chunk_owner;
}

// Marks any cell, in a shared chunk or in one of the thread's own. The thread is between
// start_marking and stop_marking, which is called here.
template <unsigned kSize, bool kWrite, bool kPart>
[[gnu::noinline]] void mark_shared_slow(std::uintptr_t address, Pc pc, ThreadState& thread,
                                        AtomicCell* cells) {
  Marked marked = Marked::kNot;
  if (may_mark_in_chunk(thread, address)) {
    thread.depends = false;
    marked = mark_without_lock<kSize, kWrite>(thread, address, cells);
    if (marked == Marked::kNow && !thread.is_idle()) {
      note_marked_or_placed<kWrite, kPart>(thread, address, kSize, pc);
    }
  }
  stop_marking(thread);
  // Some of the cells may have been marked already, which does no harm.
  if (marked == Marked::kNot) check_access(address, pc, kSize, kWrite);
}

// Marks a plain cell in a shared chunk; other cells are left to mark_shared_slow. The thread is
// between start_marking and stop_marking, which is called here.
template <unsigned kSize, bool kWrite, bool kPart>
[[gnu::noinline]] void mark_shared_fast(std::uintptr_t address, Pc pc, ThreadState& thread,
                                        AtomicCell* cells) {
  if (owner_at(address).load(std::memory_order_acquire) != kShared ||
      !mark_plain_shared<kSize, kWrite>(thread, address, cells)) {
    return mark_shared_slow<kSize, kWrite, kPart>(address, pc, thread, cells);
  }
  note_marked<kWrite, kPart>(thread, address, kSize, pc);
  stop_marking(thread);
}

// Marks any bytes of a word in a chunk of the thread's own. The thread is between start_marking and
// stop_marking, which is called here.
template <unsigned kSize, bool kWrite, bool kPart>
[[gnu::noinline]] void mark_own_bytes(std::uintptr_t address, Pc pc, ThreadState& thread,
                                      AtomicCell* cells) {
  if (!mark_own<kSize, kWrite>(thread, address, cells)) {
    return mark_shared_fast<kSize, kWrite, kPart>(address, pc, thread, cells);
  }
  note_marked<kWrite, kPart>(thread, address, kSize, pc);
  stop_marking(thread);
}

// May the access take the fast path? Not if the thread is in any state but kDirty, or if the
// address is one that compilers do not produce.
template <unsigned kSize>
[[gnu::always_inline]] inline bool may_mark_fast(std::uint32_t state, std::uintptr_t address) {
  return is_fast_address<kSize>(address) && (state & ~kDirty) == 0;
}

// The fast path of an access that is no repetition: in a chunk of the thread's own, or of the bytes
// next to those that it accessed last; other accesses to shared chunks go on in mark_shared_fast.
template <unsigned kSize, bool kWrite, bool kPart = false>
[[gnu::always_inline]] inline void mark_fast(std::uintptr_t address, Pc pc, ThreadState& thread,
                                             AtomicCell* cells) {
  start_marking(thread, kDirty);
  const Owner owner = owner_at(address).load(std::memory_order_acquire);
  const bool own = owner == thread.chunk_owner;
  if constexpr (kSize < 4) {
    // What is left to functions needs registers, and all accesses would have to save them.
    if ((!own && owner != kShared) ||
        !mark_next_bytes<kSize, kWrite>(thread, address, cells, own)) {
      return own ? mark_own_bytes<kSize, kWrite, kPart>(address, pc, thread, cells)
                 : mark_shared_fast<kSize, kWrite, kPart>(address, pc, thread, cells);
    }
  } else if (!own || !mark_own<kSize, kWrite>(thread, address, cells)) {
    return mark_shared_fast<kSize, kWrite, kPart>(address, pc, thread, cells);
  }
  note_marked<kWrite, kPart>(thread, address, kSize, pc);
  stop_marking(thread);
}

// Marks an access of up to 16 bytes at any address, word by word, for a thread in its usual state.
template <bool kWrite>
[[gnu::noinline]] void mark_words(std::uintptr_t address, Pc pc, unsigned size,
                                  ThreadState& thread);

// Is the thread in its usual state? If a block has just begun, its time stamp is taken first.
inline bool is_usual_after_placing(ThreadState& thread) {
  const std::uint32_t state = thread.state.load(std::memory_order_relaxed);
  if ((state & (kUnplaced | kInside | kMarking)) != kUnplaced) return (state & ~kDirty) == 0;
  place_last(thread);
  return (state & ~(kDirty | kUnplaced)) == 0;
}

// For an access that may not take the fast path. An idle thread makes no marks and only looks for
// dependencies. Everything else needs check_access.
template <unsigned kSize, bool kWrite>
[[gnu::noinline]] void mark_slow(std::uintptr_t address, Pc pc, ThreadState& thread) {
  if (is_usual_after_placing(thread)) {
    return is_fast_address<kSize>(address)
               ? mark_fast<kSize, kWrite>(address, pc, thread, cell_at(address))
               : mark_words<kWrite>(address, pc, kSize, thread);
  }
  const std::uint32_t state = thread.state.load(std::memory_order_relaxed);
  if (!is_fast_address<kSize>(address) || (state & ~kDirty) != kIdle)
    return check_access(address, pc, kSize, kWrite);
  // In a chunk of its own there are no dependencies. But a write ends the life of a lock.
  if (owner_at(address).load(std::memory_order_relaxed) == thread.chunk_owner &&
      !(kWrite && cell_at(address)->load(std::memory_order_relaxed).is_object())) {
    return;
  }
  start_marking(thread, state);
  mark_shared_slow<kSize, kWrite, false>(address, pc, thread, cell_at(address));
}

}  // namespace omnium::runtime
