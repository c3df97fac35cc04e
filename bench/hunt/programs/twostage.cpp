// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: write_both, read_both
// variants: N=2, N=20, N=100
// Half of N threads write a value in one critical section and its successor in another one; the
// other half reads them in the same way. It shows only if a reader comes between the two stages of
// the first writer: all writers write the same.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

#include <omnium/atomic.h>

#ifndef N
#define N 2
#endif

std::mutex both;
std::mutex first_mutex;
std::mutex second_mutex;
int first;
int second;

void write_both() {
  OMNIUM_ATOMIC("write_both");
#ifdef FIXED
  std::lock_guard lock(both);
#endif
  {
    std::lock_guard stage(first_mutex);
    first = 1;
  }
  std::lock_guard stage(second_mutex);
  second = 2;
}

void read_both() {
  OMNIUM_ATOMIC("read_both");
#ifdef FIXED
  std::lock_guard lock(both);
#endif
  int found;
  {
    std::lock_guard stage(first_mutex);
    found = first;
  }
  if (found == 0) return;
  std::lock_guard stage(second_mutex);
  assert(second == found + 1);
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < N / 2; ++i) threads.emplace_back(write_both);
  for (int i = 0; i < N / 2; ++i) threads.emplace_back(read_both);
  for (std::thread& thread : threads) thread.join();
}
