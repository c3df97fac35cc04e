// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A thread's stack is used again by the next thread. That is no dependency between the two: were it
// one, observe() would seem to read what follows from its own write.
//
// expect: nothing
#include <pthread.h>
#include <time.h>

#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::mutex mutex_of_first, mutex_of_second;
int first_value = 0, second_value = 0;

// Something on the stack that the compiler cannot know to be private.
__attribute__((noinline)) void fill(volatile int* cells) {
  for (int i = 0; i < 64; ++i) cells[i] = i;
}

void observe() {
  OMNIUM_ATOMIC("observe");
  {
    std::lock_guard lock(mutex_of_first);
    first_value = 1;
  }
  turn(1);
  turn(6);
  std::lock_guard lock(mutex_of_second);
  second_value += 1;
}

// Reads what observe() wrote, then leaves its stack behind.
void before() {
  turn(2);
  {
    std::lock_guard lock(mutex_of_first);
    first_value += 1;
  }
  volatile int cells[64];
  fill(cells);
  turn(3);
}

// Gets the same stack, then writes what observe() reads.
void after() {
  volatile int cells[64];
  fill(cells);
  turn(4);
  {
    std::lock_guard lock(mutex_of_second);
    second_value += 1;
  }
  turn(5);
}

int main() {
  std::thread observer(observe);
  std::thread(before).detach();
  omnium_ignore_begin();
  while (__atomic_load_n(&turns_taken, __ATOMIC_ACQUIRE) < 3) sched_yield();
  const timespec moment = {0, 50'000'000};
  nanosleep(&moment, nullptr);
  omnium_ignore_end();
  std::thread(after).detach();
  observer.join();
}
