// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// As no_order, around three: the last one closes the cycle with the first, and the path between
// them leads through a thread that takes part in neither end of that dependency.
//
// expect: not serializable: cycle of 3 transactions: third, second and first
#include <atomic>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::atomic<int> x{0}, y{0}, z{0};

void first() {
  OMNIUM_ATOMIC("first");
  turn(1);
  turn(4);
  x.store(1);
  turn(5);
  turn(10);
  y.load();
  turn(11);
  turn(17);
}

void second() {
  OMNIUM_ATOMIC("second");
  turn(2);
  turn(6);
  y.store(1);
  turn(7);
  turn(12);
  z.load();
  turn(13);
  turn(16);
}

void third() {
  OMNIUM_ATOMIC("third");
  turn(3);
  turn(8);
  z.store(1);
  turn(9);
  turn(14);
  x.load();
  turn(15);
}

int main() {
  std::thread one(first), two(second), three(third);
  one.join();
  two.join();
  three.join();
}
