// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// An exception that is caught inside the block does not end it.
//
// expect: update (with overwrite), lost update on value
#include <mutex>
#include <stdexcept>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::mutex mutex;
int value = 0;

void fail() {
  OMNIUM_ATOMIC("fail");
  throw std::runtime_error("as planned");
}

void update() {
  OMNIUM_ATOMIC("update");
  int seen = 0;
  {
    std::lock_guard lock(mutex);
    seen = value;
  }
  try {
    fail();
  } catch (const std::runtime_error&) {
  }
  turn(1);
  turn(4);
  std::lock_guard lock(mutex);
  value = seen + 1;
}

int main() {
  std::thread first(update);
  std::thread second([] {
    turn(2);
    {
      OMNIUM_ATOMIC("overwrite");
      std::lock_guard lock(mutex);
      value = 10;
    }
    turn(3);
  });
  first.join();
  second.join();
}
