// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A block stays open while 3,000 threads come and go, all of which see what it wrote: more than
// there are states and slots for. The first thread on the way back to the block has long ended.
//
// expect: slow_add (with add), overwritten write on counter.value
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

struct Counter {
  std::mutex mutex;
  int value = 0;
} counter;

void add() {
  OMNIUM_ATOMIC("add");
  std::lock_guard lock(counter.mutex);
  counter.value += 1;
}

void slow_add() {
  OMNIUM_ATOMIC("slow_add");
  {
    std::lock_guard lock(counter.mutex);
    counter.value += 1;
  }
  turn(1);
  turn(4);
  std::lock_guard lock(counter.mutex);
  const int seen = counter.value;
  counter.value = seen + 1;
}

int main() {
  std::thread slow(slow_add);
  turn(2);
  for (int i = 0; i < 3000; ++i) std::thread(add).join();
  turn(3);
  slow.join();
}
