// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// No block is annotated, so functions are blocks. The first thread calls only
// withdraw(), which is a block nevertheless: it comes to each of its calls once, so it is no loop
// that a thread lives in.
//
// expect: withdraw (with put), lost update on balance
#include <mutex>
#include <thread>

#include "../../examples/shapes/turns.h"

std::mutex mutex;
int balance = 100;

int look() {
  std::lock_guard lock(mutex);
  return balance;
}

__attribute__((noinline)) void put(int to) {
  std::lock_guard lock(mutex);
  balance = to;
}

void withdraw(int amount) {
  const int found = look();
  turn(1);
  turn(4);
  put(found - amount);
}

int main() {
  std::thread first([] { withdraw(10); });
  std::thread second([] {
    turn(2);
    put(50);
    turn(3);
  });
  first.join();
  second.join();
}
