// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Critical sections are blocks. A lock that its thread never releases is not one: what happens to
// that thread is no violation.
//
// expect: hold_for_a_while (with put), lost update on value
// options: --blocks locks
// record: no
#include <mutex>
#include <thread>

#include "../../examples/shapes/turns.h"

std::mutex life, span, mutex;
int value;

int look() {
  std::lock_guard lock(mutex);
  return value;
}

__attribute__((noinline)) void put(int to) {
  std::lock_guard lock(mutex);
  value = to;
}

void add_slowly(int turns) {
  const int seen = look();
  turn(turns + 1);
  turn(turns + 4);
  put(seen + 1);
}

void hold_for_life() {
  life.lock();
  add_slowly(0);
}

void hold_for_a_while() {
  std::lock_guard lock(span);
  add_slowly(4);
}

int main() {
  std::thread first(hold_for_life);
  std::thread other([] {
    for (int turns = 0; turns < 8; turns += 4) {
      turn(turns + 2);
      put(10);
      turn(turns + 3);
    }
  });
  first.join();
  std::thread second(hold_for_a_while);
  second.join();
  other.join();
}
