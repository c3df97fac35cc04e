// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A program that crashes right after a violation: what was seen is reported all the same.
//
// expect: slow_add (with add), lost update on value

#include <cstdlib>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::mutex mutex;
int value = 0;

void add() {
  OMNIUM_ATOMIC("add");
  std::lock_guard lock(mutex);
  value += 1;
}

void slow_add() {
  OMNIUM_ATOMIC("slow_add");
  int seen = 0;
  {
    std::lock_guard lock(mutex);
    seen = value;
  }
  turn(1);
  turn(4);
  std::lock_guard lock(mutex);
  value = seen + 1;
}

int main() {
  std::thread slow(slow_add);
  std::thread quick([] {
    turn(2);
    add();
    turn(3);
  });
  slow.join();
  quick.join();
  std::abort();
}
