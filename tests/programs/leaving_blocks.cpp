// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Blocks end when they are left by an exception. Were they still open, what each thread does
// afterwards would look like a lost update.
//
// expect: nothing
#include <mutex>
#include <stdexcept>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::mutex mutex;
int value = 0;

int look() {
  std::lock_guard lock(mutex);
  return value;
}

void put(int to) {
  std::lock_guard lock(mutex);
  value = to;
}

void inner() {
  OMNIUM_ATOMIC("inner");
  if (look() == 0) throw std::runtime_error("nothing there");
}

void outer() {
  OMNIUM_ATOMIC("outer");
  inner();
}

int main() {
  std::thread first([] {
    try {
      outer();
    } catch (const std::runtime_error&) {
    }
    turn(1);
    turn(4);
    put(1);
  });
  std::thread second([] {
    turn(2);
    put(2);
    turn(3);
  });
  first.join();
  second.join();
  return value == 1 ? 0 : 1;
}
