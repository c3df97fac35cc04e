// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// No block is annotated, so functions are blocks. customer() does all the work of its thread, and
// is none; what the thread's function captured is destroyed after it, which is no part of the work.
// The third thread comes to each call of customer() once, but when it ends, the first has shown
// what customer() is.
//
// expect: nothing
#include <semaphore.h>

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

__attribute__((noinline)) int customer(int turns, int end) {
  int sum = 0;
  for (; turns < end; turns += 8) {
    sum += look();
    turn(turns + 1);
    turn(turns + 4);
  }
  return sum + look();
}

int main() {
  sem_t first_has_ended;
  sem_init(&first_has_ended, 0, 0);
  std::thread first([ticket = Ticket()] { customer(0, 16); });
  std::thread second([] {
    for (int turns = 0; turns < 12; turns += 4) {
      turn(turns + 2);
      if (turns > 0) put(turns);
      turn(turns + 3);
    }
  });
  std::thread third([&] {
    customer(4, 8);
    sem_wait(&first_has_ended);
  });
  first.join();
  sem_post(&first_has_ended);
  second.join();
  third.join();
}
