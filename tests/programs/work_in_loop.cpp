// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// No block is annotated, so functions are blocks. work() does all the work of two threads, and is
// none: neither in the thread where it loops nor in the one that has a single job to do.
//
// expect: nothing
#include <mutex>
#include <thread>

#include "../../examples/shapes/turns.h"

std::mutex mutex;
int value;

__attribute__((noinline)) int look() {
  std::lock_guard lock(mutex);
  return value;
}

__attribute__((noinline)) void put(int to) {
  std::lock_guard lock(mutex);
  value = to;
}

__attribute__((noinline)) void work(int first, int jobs) {
  for (int i = 0; i < jobs; ++i) {
    const int found = look();
    turn(first + 4 * i + 1);
    turn(first + 4 * i + 4);
    put(found + 1);
  }
}

int main() {
  std::thread interferes([] {
    for (int turns = 0; turns < 12; turns += 4) {
      turn(turns + 2);
      put(10);
      turn(turns + 3);
    }
  });
  std::thread loops([] { work(0, 2); });
  loops.join();
  std::thread does_one_job([] { work(8, 1); });
  does_one_job.join();
  interferes.join();
}
