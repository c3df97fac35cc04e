// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A thread's local time, and what follows from it: which cells its accesses leave as they are, and
// whether its accesses matter at all.
#pragma once

#include "runtime/shadow/cell.h"
#include "runtime/state/thread.h"

namespace omnium::runtime {

// The contents of cells that an access of the thread leaves as they are.
inline Quick quick_cells(const ThreadState& thread) {
  const std::uint64_t written = thread.now_field << kFieldBits;
  const std::uint64_t idle = thread.is_idle() ? 0 : kNoCell;
  return {written | thread.now_field, idle, written, idle, kNoCell, kNoCell};
}

// A thread with a log does not use the cells of the checker to end accesses quickly.
inline void update_quick(ThreadState& thread) {
  if (thread.log == nullptr) thread.quick = quick_cells(thread);
}

inline void set_idle(ThreadState& thread, bool idle) {
  thread.set_state(kIdle, idle);
  update_quick(thread);
}

inline void set_now(ThreadState& thread, Epoch now) {
  thread.now = now;
  thread.now_field = field(kAllBytes, now);
  thread.history.set_time(thread.time());
  update_quick(thread);
  thread.set_state(kDirty, false);
}

// The next event of the thread is later than all that others saw of it.
inline void advance(ThreadState& thread) {
  if (!thread.is_dirty()) return;
  set_now(thread, thread.now + 1);
}

// A thread outside of every transaction becomes idle when the transactions that reached it have
// ended. They do not tell it: it looks before each of its events.
inline void update_idle(ThreadState& thread) {
  if (!thread.is_idle() &&
      thread.transaction.load(std::memory_order_relaxed) == Transaction::kClosed &&
      slots[thread.slot].reached_from.load(std::memory_order_relaxed) == kNever) {
    set_idle(thread, true);
  }
}

}  // namespace omnium::runtime
