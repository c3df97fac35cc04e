// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A block reads what lies at some place, and later what another thread has written in the meantime.
// That thread also writes to the place. If it is still the same object there, the block was
// interrupted: it read the place before, and the result after what the other thread did.
//
//   the reader: read_there("block", [] { give the place up; });
//   the other:  publish(place); get another object at the place, and write it; leave_result();
#pragma once

#include <mutex>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

inline std::mutex mutex_of_result;
inline int result = 0;
inline long* place_of_object = nullptr;
inline thread_local volatile long sink;

// Four turns for each time that a place is read.
inline int turns_before_reader = 0, turns_before_writer = 0;

template <class GiveUp>
void read_there(const char* name, GiveUp give_up) {
  const int turns = turns_before_reader;
  turns_before_reader += 4;
  turn(turns + 2);
  omnium_begin(name);
  sink = *place_of_object;
  give_up();
  omnium_ignore_begin();
  turn(turns + 3);
  while (__atomic_load_n(&turns_taken, __ATOMIC_ACQUIRE) < turns + 4) sched_yield();
  omnium_ignore_end();
  {
    const std::lock_guard lock(mutex_of_result);
    sink = result;
  }
  omnium_end();
}

inline void publish(long* place) {
  *place = 1;
  omnium_ignore_begin();
  place_of_object = place;
  turn(turns_before_writer + 1);
  while (__atomic_load_n(&turns_taken, __ATOMIC_ACQUIRE) < turns_before_writer + 3) sched_yield();
  omnium_ignore_end();
}

inline void leave_result() {
  {
    const std::lock_guard lock(mutex_of_result);
    ++result;
  }
  turn(turns_before_writer + 4);
  turns_before_writer += 4;
}
