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

// While a thread marks: signal handlers do not, and who shares its chunks waits.
class Marking {
 public:
  explicit Marking(ThreadState& thread)
      : thread_(thread), state_(thread.state.load(std::memory_order_relaxed)) {
    if (!*this) return;
    thread_.state.store(state_ | kMarking, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  ~Marking() {
    if (!*this) return;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    thread_.state.store(state_, std::memory_order_release);
  }
  Marking(const Marking&) = delete;
  Marking& operator=(const Marking&) = delete;

  explicit operator bool() const { return (state_ & ~kIdle) == 0; }
  bool is_idle() const { return state_ == kIdle; }

 private:
  ThreadState& thread_;
  const std::uint32_t state_;
};

template <unsigned kSize, bool kWrite>
inline void note_marked(ThreadState& thread, std::uintptr_t address, Pc pc) {
  thread.history.add(kWrite ? live::EntryKind::kWrite : live::EntryKind::kRead, address, kSize, pc,
                     thread.time());
}

template <unsigned kSize, bool kWrite>
[[gnu::noinline]] void on_shared_access(std::uintptr_t address, Pc pc, ThreadState& thread) {
  if (address % kSize == 0) {
    const Marking marking(thread);
    if (marking && owner_at(address).load(std::memory_order_acquire) == kShared) {
      const Marked marked = mark_shared<kSize, kWrite>(thread, address);
      if (marked == Marked::kNow && !marking.is_idle()) {
        note_marked<kSize, kWrite>(thread, address, pc);
      }
      if (marked != Marked::kNot) return;
    }
  }
  access_memory(address, pc, kSize, kWrite);  // it may find part of it done
}

// An access that is no repetition.
template <unsigned kSize, bool kWrite>
[[gnu::noinline]] void on_new_access(std::uintptr_t address, Pc pc, ThreadState& thread) {
  if (address % kSize == 0) {
    const Marking marking(thread);
    if (marking && owner_at(address).load(std::memory_order_relaxed) == thread.chunk_owner) {
      if (marking.is_idle()) return;
      if (mark_own<kSize, kWrite>(thread, address)) {
        thread.dirty = true;
        return note_marked<kSize, kWrite>(thread, address, pc);
      }
    }
  }
  on_shared_access<kSize, kWrite>(address, pc, thread);
}

}  // namespace omnium::runtime
