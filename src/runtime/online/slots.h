// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Gives slots to threads, which own one slot after the other (state/epoch.h), and states to threads
// that begin.
#pragma once

#include "runtime/state/thread.h"

namespace omnium::runtime {

// A state with a slot for a new thread or fiber; null if there are too many.
ThreadState* take_thread();
void give_back_thread(ThreadState& thread);  // it has ended, and no join will ask for it

// Gives the thread a new slot.
void renew_slot(ThreadState& thread);

// An event starts; the thread holds no locks. Time must not run out in the middle of an event.
inline void start_event(ThreadState& thread) {
  thread.advanced = thread.depends = false;
  if (time_of(thread.now) > kTimesToStart) [[unlikely]]
    renew_slot(thread);
}

}  // namespace omnium::runtime
