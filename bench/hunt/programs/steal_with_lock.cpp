// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: run_task
// A work-stealing queue whose thieves take from the head under a lock, and whose owner takes from
// the tail and needs the lock only where the two may meet. The owner compares before it has
// announced the new tail. It shows if a thief comes between that comparison and the announcement,
// when one task is left: the task runs twice.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

constexpr int kTasks = 2;
std::mutex mutex;
std::atomic<int> head{0};
std::atomic<int> tail{kTasks};
std::atomic<int> runs[kTasks];

void run_task(int task) {
  OMNIUM_ATOMIC("run_task");
  const int before = runs[task].load();
  runs[task].store(before + 1);
}

int take_under_lock() {
  std::lock_guard lock(mutex);
  const int last = tail.load() - 1;
  if (head.load() > last) return -1;
  tail.store(last);
  return last;
}

int take() {
  const int last = tail.load() - 1;
#ifdef FIXED
  tail.store(last);
  if (head.load() <= last) return last;
  tail.store(last + 1);
#else
  if (head.load() <= last) {
    tail.store(last);
    return last;
  }
#endif
  return take_under_lock();
}

int steal() {
  std::lock_guard lock(mutex);
  const int first = head.load();
  head.store(first + 1);
  if (first + 1 <= tail.load()) return first;
  head.store(first);
  return -1;
}

int main() {
  std::thread owner([] {
    for (int task = take(); task >= 0; task = take()) run_task(task);
  });
  std::thread thief([] {
    for (int task = steal(); task >= 0; task = steal()) run_task(task);
  });
  owner.join();
  thief.join();
  for (const std::atomic<int>& times : runs) assert(times.load() == 1);
}
