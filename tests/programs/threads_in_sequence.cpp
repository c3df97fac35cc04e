// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// 200 threads, created and joined one after the other, then a violation: what is kept for a thread
// is used again and still right.
//
// expect: slow_add (with add), lost update on counter.value
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

struct Counter {
  std::mutex mutex;
  int value = 0;
};

Counter counter;

void add() {
  OMNIUM_ATOMIC("add");
  std::lock_guard lock(counter.mutex);
  counter.value += 1;
}

void slow_add() {
  OMNIUM_ATOMIC("slow_add");
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

int main() {
  for (int i = 0; i < 200; ++i) {
    std::thread thread(add);
    add();
    thread.join();
  }
  std::thread slow(slow_add);
  std::thread quick([] {
    turn(2);
    add();
    turn(3);
  });
  slow.join();
  quick.join();
  return counter.value == 401 ? 0 : 1;
}
