// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: run_task
// A lock-free work-stealing queue: the owner takes at the bottom, thieves take at the top with a
// compare-exchange. The owner takes the last task without one. It shows if a thief comes between
// the owner's look at the top and its store: the last task runs twice.
#include <atomic>
#include <cassert>
#include <thread>

#include <omnium/atomic.h>

constexpr long kTasks = 2;
std::atomic<long> top{0};
std::atomic<long> bottom{kTasks};
std::atomic<int> runs[kTasks];

void run_task(long task) {
  OMNIUM_ATOMIC("run_task");
  const int before = runs[task].load();
  runs[task].store(before + 1);
}

long take() {
  const long last = bottom.load() - 1;
  bottom.store(last);
  long first = top.load();
  if (first < last) return last;
  bottom.store(last + 1);
  if (first > last) return -1;
#ifdef FIXED
  return top.compare_exchange_strong(first, first + 1) ? last : -1;
#else
  top.store(first + 1);
  return last;
#endif
}

long steal() {
  long first = top.load();
  if (first >= bottom.load()) return -1;
  return top.compare_exchange_strong(first, first + 1) ? first : -1;
}

int main() {
  std::thread owner([] {
    for (long task = take(); task >= 0; task = take()) run_task(task);
  });
  std::thread thief([] {
    const long task = steal();
    if (task >= 0) run_task(task);
  });
  owner.join();
  thief.join();
  for (const std::atomic<int>& times : runs) assert(times.load() == 1);
}
