// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// No block is annotated, so functions are blocks. At first left() and right() come between each
// other's accesses, and neither alone is to blame. Then left() is interrupted by itself: it is not
// atomic, so a cycle that needs it to be is none, although it was seen before that was known.
//
// expect: left (with change), lost update on balance
#include <atomic>
#include <mutex>
#include <thread>

#include "../../examples/shapes/turns.h"

std::mutex mutex;
int balance = 100;
std::atomic<int> x{0}, y{0};

__attribute__((noinline)) int look() {
  std::lock_guard lock(mutex);
  return balance;
}

__attribute__((noinline)) void change(int to) {
  std::lock_guard lock(mutex);
  balance = to;
}

__attribute__((noinline)) void left(bool updates) {
  if (updates) {
    const int found = look();
    turn(10);
    turn(13);
    change(found + 1);
    return;
  }
  turn(1);
  turn(3);
  x.store(1);
  turn(4);
  turn(7);
  y.load();
  turn(8);
}

__attribute__((noinline)) void right() {
  turn(2);
  turn(5);
  y.store(1);
  turn(6);
  turn(9);
  x.load();
}

int main() {
  std::thread first([] {
    look();
    left(false);
    left(true);
  });
  std::thread second([] {
    look();
    right();
    turn(11);
    change(50);
    turn(12);
  });
  first.join();
  second.join();
}
