// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A thread's local time, and what follows from it: which cells its accesses leave as they are, and
// whether its accesses matter at all.
#pragma once

#include "runtime/shadow/cell.h"
#include "runtime/state/thread.h"

namespace omnium::runtime {

// All bytes of a word, at the current time of the thread.
inline Field now_field(const ThreadState& thread) { return Field::from_bits(thread.now_field); }

// The contents of cells that an access of the thread leaves as they are.
inline Quick quick_cells(const ThreadState& thread) {
  const Cell written(Form::kPlain, now_field(thread), Field());
  const std::uint64_t idle = thread.is_idle() ? Cell().word() : kNoCell;
  return {
      written.with_read(now_field(thread)).word(), idle, written.word(), idle, kNoCell, kNoCell};
}

// The quick cells of a thread with a log are the recorder's affair (set_log in events/events.cc). A
// thread with points has none.
inline void update_quick(ThreadState& thread) {
  if (thread.log == nullptr && !thread.has_points()) thread.quick = quick_cells(thread);
}

inline void set_idle(ThreadState& thread, bool idle) {
  thread.set_state(kIdle, idle);
  update_quick(thread);
}

inline void set_now(ThreadState& thread, Epoch now) {
  thread.now = thread.since = now;
  thread.now_field = Field(kAllBytes, now).bits();
  thread.history.set_time(thread.time());
  update_quick(thread);
  thread.set_state(kDirty, false);
}

// The next event of the thread will be later than all that other threads have seen of it.
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
