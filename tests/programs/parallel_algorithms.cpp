// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Nothing is annotated, so functions are blocks: those that call a parallel algorithm, which
// oneTBB executes, are not interrupted by its tasks, and no function of the library is a block. In
// the end one loses an update over two critical sections.
//
// expect: add_slowly (with add), lost update on counter
// flags: -std=c++20 -ltbb
#include <algorithm>
#include <atomic>
#include <execution>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

#include "../../examples/shapes/turns.h"

std::mutex mutex;
long counter;
std::atomic<long> doubled;

void double_all(std::vector<long>& values) {
  std::for_each(std::execution::par, values.begin(), values.end(), [](long& value) {
    value *= 2;
    ++doubled;
  });
}

long total(const std::vector<long>& values) {
  return std::reduce(std::execution::par, values.begin(), values.end(), 0L);
}

void count(const std::vector<long>& values) {
  std::for_each(std::execution::par, values.begin(), values.end(), [](long value) {
    const std::lock_guard lock(mutex);
    counter += value;
  });
}

void sort(std::vector<long>& values) {
  std::sort(std::execution::par, values.begin(), values.end());
}

long look() {
  const std::lock_guard lock(mutex);
  return counter;
}

__attribute__((noinline)) void add() {
  const std::lock_guard lock(mutex);
  counter += 1;
}

void add_slowly() {
  const long seen = look();
  turn(1);
  turn(4);
  const std::lock_guard lock(mutex);
  counter = seen + 1;
}

int main() {
  std::vector<long> values(5000);
  for (int round = 0; round < 4; ++round) {
    std::iota(values.rbegin(), values.rend(), 1);
    counter = 0;
    double_all(values);
    count(values);
    sort(values);
    if (total(values) != 5000 * 5001L || counter != total(values) || values.front() != 2) return 1;
  }
  if (doubled != 20000) return 1;
  std::thread other([] {
    turn(2);
    add();
    turn(3);
  });
  add_slowly();
  other.join();
}
