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
  turn(7);
  y.load();
  turn(8);
  turn(13);
}

void second() {
  OMNIUM_ATOMIC("second");
  turn(2);
  turn(5);
  y.store(1);
  turn(9);
  z.load();
  turn(10);
  turn(12);
}

void third() {
  OMNIUM_ATOMIC("third");
  turn(3);
  turn(6);
  z.store(1);
  turn(11);
  x.load();
}

int main() {
  std::thread one(first), two(second), three(third);
  one.join();
  two.join();
  three.join();
}
