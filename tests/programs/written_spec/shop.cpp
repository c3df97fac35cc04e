// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// For written_spec.py. add() has two windows. It is called by first_customer(), and later by
// second_customer(). With -DANNOTATED, put() is annotated.
#include <mutex>
#include <thread>

#include "../../../examples/shapes/turns.h"

std::mutex mutex;
int value;

__attribute__((noinline)) int look() {
  std::lock_guard lock(mutex);
  return value;
}

__attribute__((noinline)) void put(int to) {
#ifdef ANNOTATED
  OMNIUM_ATOMIC("put");
#endif
  std::lock_guard lock(mutex);
  value = to;
}

// The other thread puts something in between.
void pause(int turns) {
  turn(turns + 1);
  turn(turns + 4);
}

__attribute__((noinline)) int add(int turns) {
  const int seen = look();
  pause(turns);
  if (turns < 4) {
    put(seen + 1);
  } else {
    put(seen + 2);
  }
  return seen;
}

__attribute__((noinline)) int first_customer() { return add(0) + 1; }

// What add() does wrong is told; the last window says no more about this call.
__attribute__((noinline)) int second_customer() {
  const int sum = add(4) + add(8);
  pause(12);
  return sum + look();
}

int third_customer() {
  const int seen = look();
  pause(16);
  put(seen + 3);
  return seen;
}

int main() {
  std::thread first([] {
    first_customer();
    second_customer();
    third_customer();
  });
  std::thread second([] {
    for (int turns = 0; turns < 20; turns += 4) {
      turn(turns + 2);
      put(10);
      turn(turns + 3);
    }
  });
  first.join();
  second.join();
}
