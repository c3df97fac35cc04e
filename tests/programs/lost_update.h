// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// One lost update, with a forced interleaving, for programs that test what comes before or after
// it:
//
// expect: slow_add (with add), lost update on counter.value
#pragma once

#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

struct Counter {
  std::mutex mutex;
  int value = 0;
};

inline Counter counter;

inline void add(Counter& to = counter) {
  OMNIUM_ATOMIC("add");
  std::lock_guard lock(to.mutex);
  to.value += 1;
}

// What slow_add does, for blocks of that name that do more.
inline void add_slowly() {
  int value = 0;
  {
    std::lock_guard lock(counter.mutex);
    value = counter.value;
  }
  turn(1);
  turn(4);
  std::lock_guard lock(counter.mutex);
  counter.value = value + 1;
}

inline void slow_add() {
  OMNIUM_ATOMIC("slow_add");
  add_slowly();
}

inline void lose_update() {
  std::thread slow(slow_add);
  std::thread quick([] {
    turn(2);
    add();
    turn(3);
  });
  slow.join();
  quick.join();
}
