// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// No block is annotated, so functions are blocks. customer() does all the work of its thread, and is
// none; what the thread's function captured is destroyed after it, which is no part of the work.
//
// expect: nothing
// record: no
#include <mutex>
#include <thread>

#include "../../examples/shapes/turns.h"

std::mutex mutex;
int value, returned;

struct Ticket {
  Ticket() = default;
  Ticket(Ticket&& other) noexcept { other.valid = false; }
  __attribute__((noinline)) ~Ticket() {
    if (!valid) return;
    std::lock_guard lock(mutex);
    ++returned;
  }
  bool valid = true;
};

__attribute__((noinline)) int look() {
  std::lock_guard lock(mutex);
  return value;
}

__attribute__((noinline)) void put(int to) {
  std::lock_guard lock(mutex);
  value = to;
}

__attribute__((noinline)) int customer() {
  int sum = 0;
  for (int turns = 0; turns < 8; turns += 4) {
    sum += look();
    turn(turns + 1);
    turn(turns + 4);
  }
  return sum + look();
}

int main() {
  std::thread first([ticket = Ticket()] { customer(); });
  std::thread second([] {
    for (int turns = 0; turns < 8; turns += 4) {
      turn(turns + 2);
      put(turns);
      turn(turns + 3);
    }
  });
  first.join();
  second.join();
}
