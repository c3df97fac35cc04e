// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Memory accesses as the compilers' callbacks report them. Most end here after a few instructions.
// The others go to the checker (online/access.h), to the recorder (record/record.h), or to both.
#pragma once

#include <cstdint>

#include "runtime/online/access.h"
#include "runtime/online/local_time.h"
#include "runtime/record/record.h"
#include "runtime/schedule/point.h"
#include "runtime/shadow/map.h"
#include "runtime/state/stack.h"
#include "runtime/state/thread.h"
#include "runtime/system/options.h"

namespace omnium::runtime {

// Records an access of any size, for a thread in any state.
[[gnu::noinline]] void record_any(std::uintptr_t address, Pc pc, std::size_t size, bool write);

// Records an access to one cell of the recorder, in a chunk that the thread has entered before.
// False if it is not such an access; then nothing has happened.
template <unsigned kSize, bool kWrite>
[[gnu::always_inline]] inline bool record_fast(std::uintptr_t address, Pc pc, ThreadState& thread) {
  const std::uint32_t state = thread.state.load(std::memory_order_relaxed);
  if (address % 8 + kSize > 8 || (state & (kInside | kMarking | kBlind | kDestroys)) != 0)
    return false;
  start_marking(thread, state);
  const Owner owner = owner_at(address).load(std::memory_order_acquire);
  const bool alone = owner == thread.chunk_owner, entered = alone || owner == kShared;
  if (entered) record::access_cell<kSize, kWrite>(*thread.log, address, alone, pc);
  stop_marking(thread);
  return entered;
}

// Records and checks an access of up to 16 bytes. Its cells are locked meanwhile, so that accesses
// without an order, data races, are checked in the order in which they are recorded.
void record_and_check(std::uintptr_t address, Pc pc, unsigned size, bool write);

// An access of a thread with a log.
template <unsigned kSize, bool kWrite>
void on_recorded_access(std::uintptr_t address, Pc pc, ThreadState& thread) {
  if (options.checks) return record_and_check(address, pc, kSize, kWrite);
  if (record_fast<kSize, kWrite>(address, pc, thread)) return;
  record_any(address, pc, kSize, kWrite);
}

// An access that is a point. Its thread has no quick cells, so that repetitions come here, too.
template <unsigned kSize, bool kWrite>
[[gnu::noinline]] void on_access_at_point(std::uintptr_t address, Pc pc, ThreadState& thread) {
  before_access(reinterpret_cast<const void*>(address), kSize, kWrite, pc);
  if (thread.log != nullptr) return on_recorded_access<kSize, kWrite>(address, pc, thread);
  // Without the checker the cells are the recorder's, also for a thread that has no log (any more).
  if (!options.checks) return;
  if (!is_repeated_at<kSize, kWrite>(quick_cells(thread), address, cell_at(address))) {
    check_access(address, pc, kSize, kWrite);
  }
}

// An access that may not be marked fast.
template <unsigned kSize, bool kWrite>
inline void on_slow_access(std::uintptr_t address, Pc pc, ThreadState& thread) {
  const std::uint32_t state = thread.state.load(std::memory_order_relaxed);
  if ((state & kHasPoints) != 0) return on_access_at_point<kSize, kWrite>(address, pc, thread);
  if ((state & kHasLog) != 0) return on_recorded_access<kSize, kWrite>(address, pc, thread);
  if (options.checks) mark_slow<kSize, kWrite>(address, pc, thread);
}

// An access that is no repetition. `cells` are those of the address, if that is aligned.
template <unsigned kSize, bool kWrite, bool kPart = false>
[[gnu::always_inline]] inline void on_unrepeated_access(std::uintptr_t address, Pc pc,
                                                        ThreadState& thread, AtomicCell* cells) {
  if (!may_mark_fast<kSize>(thread.state.load(std::memory_order_relaxed), address)) {
    return on_slow_access<kSize, kWrite>(address, pc, thread);
  }
  mark_fast<kSize, kWrite, kPart>(address, pc, thread, cells);
}

// kPart: the access is one of a range, which is accessed from its start to its end.
template <unsigned kSize, bool kWrite, bool kPart = false>
[[gnu::always_inline]] inline void on_access(const void* pointer, Pc pc) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  ThreadState& thread = *tls_thread;
  AtomicCell* const cells = cell_at(address);
  if (is_repeated_at<kSize, kWrite>(thread.quick, address, cells)) return;
  on_unrepeated_access<kSize, kWrite, kPart>(address, pc, thread, cells);
}

// The thread leaves the frame. What other threads did there is forgotten.
[[gnu::noinline]] void forget_frame(Stack frame);
[[gnu::always_inline]] inline void leave_frame(Stack frame) {
  const Owner owner = owner_at(frame.begin).load(std::memory_order_relaxed);
  const bool untouched = owner == tls_thread->chunk_owner || owner == kNobody;
  // Another thread may have touched any part of a frame that lies in several chunks.
  if (!untouched || (frame.begin ^ (frame.end - 1)) >= kChunk) forget_frame(frame);
}

// An access to a range of any size.
void on_range(std::uintptr_t address, std::size_t size, bool write, Pc pc);

enum class Atomic : std::uint8_t {
  kLoad,
  kStore,
  kUpdate,  // a read-modify-write
  kRetry,   // an attempt that failed: a compare-exchange that did not exchange, or a load that a
            // spinning loop repeats
};
inline bool writes(Atomic kind) { return kind == Atomic::kStore || kind == Atomic::kUpdate; }

// Whether an atomic load that the thread is about to finish is a load or an attempt that failed.
Atomic kind_of_load(const ThreadState& thread, const Access& access);

// Exists while an atomic operation happens. The cells are locked from the constructor to finish().
class AtomicOperation {
 public:
  AtomicOperation(const void* address, unsigned size, Pc pc);
  void finish(Atomic kind);
  // Instead of finish(): a write that begins a new object at the address.
  void write_anew();

  // The operation faulted, and a handler of the program runs. If that does not return, the
  // operation has not happened.
  void pause();
  void resume();

 private:
  void lock();
  void begin_part_if_unnoticed(Atomic kind);
  bool is_event() const {
    return inside_ && inside_.thread().ignored == 0 && has_cells(access_.address);
  }

  Inside inside_;
  Access access_;
  Cell contents_[kMostCells];
};

// Does an atomic load of such a cell by this thread need no further work?
inline bool is_plain_load(const ThreadState& thread, Cell cell) {
  return cell.is_empty() && thread.is_idle() && thread.log == nullptr;
}

}  // namespace omnium::runtime
