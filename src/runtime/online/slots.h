// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A thread owns one slot after the other (state/epoch.h): who gets which, and the states of threads
// that begin and end.
#pragma once

#include "runtime/state/thread.h"

namespace omnium::runtime {

// A state with a slot for a new thread or fiber; null: there are too many.
ThreadState* take_thread();
void give_back_thread(ThreadState& thread);  // it has ended and nobody will ask for it

// The thread goes on in a new slot.
void renew_slot(ThreadState& thread);

// An event starts; the thread holds no locks. Time must not run out in the middle of an event.
inline void start_event(ThreadState& thread) {
  thread.advanced = false;
  if (time_of(thread.now) > kTimesToStart) [[unlikely]]
    renew_slot(thread);
}

}  // namespace omnium::runtime
