// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A block reads a variable in two critical sections. Nobody writes it in between here, but somebody
// could.
//
// expect: nothing
// predict: certain
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::mutex mutex;
int value = 1;

int get() {
  const std::lock_guard lock(mutex);
  return value;
}

bool is_steady() {
  OMNIUM_ATOMIC("is_steady");
  const int before = get();
  return get() == before;
}

void set() {
  OMNIUM_ATOMIC("set");
  const std::lock_guard lock(mutex);
  value = 2;
}

int main() {
  bool steady = false;
  std::thread reader([&] {
    steady = is_steady();
    turn(1);
  });
  std::thread writer([] {
    turn(2);
    set();
  });
  reader.join();
  writer.join();
  return steady ? 0 : 1;
}
