// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The block that interfered has ended long ago, and its thread remembers nothing of it: fifty other
// blocks and more events than a history has came after it. The report still names it.
//
// expect: first (with second), broken hand-over on a and b
#include <atomic>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::atomic<int> a{0}, b{0};
volatile int room[20000];

void second() {
  turn(2);
  {
    OMNIUM_ATOMIC("second");
    a.load();
    b.store(1);
  }
  for (int i = 0; i < 50; ++i) {
    OMNIUM_ATOMIC("other");
    room[i] = i;
  }
  for (int i = 0; i < 20000; ++i) room[i] = i;
  turn(3);
}

int main() {
  std::thread thread(second);
  {
    OMNIUM_ATOMIC("first");
    a.store(1);
    turn(1);
    turn(4);
    b.load();
  }
  thread.join();
}
