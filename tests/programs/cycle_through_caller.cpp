// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// No block is annotated, so functions are blocks. update() is not atomic; neither is again(), which
// calls it, by the same events, and that says nothing new. So a cycle that needs again() to be
// atomic is none, also where it does not call update().
//
// expect: update (with change), lost update on balance
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

__attribute__((noinline)) void update(int at) {
  const int found = look();
  turn(at);
  turn(at + 3);
  change(found + 1);
}

__attribute__((noinline)) void again(bool updates) {
  if (updates) {
    update(5);
    return;
  }
  turn(9);
  x.store(1);
  turn(10);
  turn(13);
  y.load();
  turn(14);
}

__attribute__((noinline)) void other() {
  turn(11);
  y.store(1);
  turn(12);
  turn(15);
  x.load();
}

int main() {
  std::thread first([] {
    update(1);
    again(true);
    again(false);
  });
  std::thread second([] {
    for (int at : {2, 6}) {
      turn(at);
      change(at);
      turn(at + 1);
    }
    other();
  });
  first.join();
  second.join();
}
