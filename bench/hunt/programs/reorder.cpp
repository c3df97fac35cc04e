// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: set, check
// variants: N=3, N=10, N=50, N=100
// N - 1 threads set two variables, one after the other, to the same values; the last thread reads
// both. It shows only if the reader comes while the first of all setters is between its two stores,
// or if a setter comes between the two loads.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

#include <omnium/atomic.h>

#ifndef N
#define N 3
#endif

std::mutex mutex;
std::atomic<int> plus{0};
std::atomic<int> minus{0};

void set() {
  OMNIUM_ATOMIC("set");
#ifdef FIXED
  std::lock_guard lock(mutex);
#endif
  plus.store(1);
  minus.store(-1);
}

void check() {
  OMNIUM_ATOMIC("check");
#ifdef FIXED
  std::lock_guard lock(mutex);
#endif
  const int first = plus.load();
  const int second = minus.load();
  assert(first + second == 0);
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 1; i < N; ++i) threads.emplace_back(set);
  threads.emplace_back(check);
  for (std::thread& thread : threads) thread.join();
}
