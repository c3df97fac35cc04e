// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// No single block is to blame, and still the two have no serial order: each sees what the other
// wrote.
//
// expect: not serializable: cycle of 2 transactions: right and left
#include <atomic>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::atomic<int> x{0}, y{0};

int main() {
  std::thread first([] {
    OMNIUM_ATOMIC("left");
    turn(1);
    turn(3);
    x.store(1);
    turn(4);
    turn(7);
    y.load();
    turn(8);
  });
  std::thread second([] {
    OMNIUM_ATOMIC("right");
    turn(2);
    turn(5);
    y.store(1);
    turn(6);
    turn(9);
    x.load();
  });
  first.join();
  second.join();
}
