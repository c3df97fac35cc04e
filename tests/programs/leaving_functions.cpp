// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// As leaving_blocks, with functions as blocks (leaving_functions.spec).
//
// expect: nothing
// functions: all
#include <mutex>
#include <stdexcept>
#include <thread>

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

namespace risky {

void inner() {
  if (look() == 0) throw std::runtime_error("nothing there");
}

void outer() { inner(); }

}  // namespace risky

int main() {
  std::thread first([] {
    try {
      risky::outer();
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
