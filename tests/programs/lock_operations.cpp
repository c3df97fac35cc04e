// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Ten million lock operations, with and without contention: memory does not grow with time.
//
// expect: nothing
#include <cstdio>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "resident.h"

constexpr int kRounds = 5;
constexpr int kSections = 500'000;  // of each thread in a round: 2 threads, lock and unlock

struct alignas(64) Cell {
  std::mutex mutex;
  long value = 0;
};

Cell cells[16];

void work(unsigned seed) {
  for (int i = 0; i < kSections; ++i) {
    seed = seed * 1664525 + 1013904223;
    Cell& cell = cells[seed >> 28];
    OMNIUM_ATOMIC("add");
    std::lock_guard lock(cell.mutex);
    cell.value += 1;
  }
}

int main() {
  long after_first = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::thread first(work, 1), second(work, 2);
    first.join();
    second.join();
    if (round == 0) after_first = resident_megabytes();
  }
  const long at_end = resident_megabytes();
  long sum = 0;
  for (const Cell& cell : cells) sum += cell.value;
  std::printf("%ld MB after a fifth, %ld MB at the end\n", after_first, at_end);
  return sum == 2L * kRounds * kSections && at_end <= after_first + 8 ? 0 : 1;
}
