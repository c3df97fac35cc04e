// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// No block is annotated, so functions are blocks. None are main, the lambdas that threads start
// with, and customer(), which does all the work of such a lambda. get_or_create() is refuted twice
// and reported once; what calls it is refuted with it.
//
// expect: get_or_create (with put), lost update on value
// record: no
#include <mutex>
#include <thread>

#include "../../examples/shapes/turns.h"

std::mutex mutex;
int value;

int look() {
  std::lock_guard lock(mutex);
  return value;
}

__attribute__((noinline)) void put(int to) {
  std::lock_guard lock(mutex);
  value = to;
}

int get_or_create(int turns) {
  const int found = look();
  turn(turns + 1);
  turn(turns + 4);
  put(found + 1);
  return found;
}

// Its last window is closed by a look of its own.
int customer() {
  int sum = 0;
  for (int i = 0; i < 2; ++i) sum += get_or_create(4 * i);
  turn(9);
  turn(12);
  return sum + look();
}

int main() {
  std::thread first([] { customer(); });
  std::thread second([] {
    for (int turns = 0; turns < 12; turns += 4) {
      turn(turns + 2);
      put(10);
      turn(turns + 3);
    }
  });
  first.join();
  second.join();
}
