// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Functions and critical sections are blocks, as in Wang and Stoller's section 2: add() is found as
// a function, and in the body of a thread, which is no block, the section around `outer`.
//
// expect: add (with overwrite), lost update on value
// expect: main (with overwrite), lost update on value
// options: --blocks functions,locks
// record: no
#include <mutex>
#include <thread>

#include "../../examples/shapes/turns.h"

std::mutex outer, mutex;
int value = 0;

__attribute__((noinline)) int look() {
  std::lock_guard lock(mutex);
  return value;
}
__attribute__((noinline)) void put(int to) {
  std::lock_guard lock(mutex);
  value = to;
}

__attribute__((noinline)) void add() {
  const int seen = look();
  turn(1);
  turn(4);
  put(seen + 1);
}

__attribute__((noinline)) void overwrite() {
  mutex.lock();
  value = 10;
  mutex.unlock();
}

int main() {
  std::thread other([] {
    for (int turns = 0; turns < 8; turns += 4) {
      turn(turns + 2);
      overwrite();
      turn(turns + 3);
    }
  });
  add();
  outer.lock();
  const int seen = look();
  turn(5);
  turn(8);
  put(seen + 1);
  outer.unlock();
  other.join();
}
