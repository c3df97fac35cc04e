// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: submit
// A pool takes a task if it is not stopping, and puts it on the list in another critical section.
// It shows if the pool stops in between: the task was accepted, and nobody runs it.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

std::mutex mutex;
std::condition_variable changed;
bool stopping;
int tasks;
int ran;

bool submit() {
  OMNIUM_ATOMIC("submit");
  std::unique_lock lock(mutex);
  if (stopping) return false;
#ifndef FIXED
  lock.unlock();
  lock.lock();
#endif
  ++tasks;
  changed.notify_one();
  return true;
}

void stop() {
  OMNIUM_ATOMIC("stop");
  std::lock_guard lock(mutex);
  stopping = true;
  changed.notify_one();
}

void work() {
  std::unique_lock lock(mutex);
  while (!stopping || tasks > 0) {
    if (tasks == 0) {
      changed.wait(lock);
      continue;
    }
    --tasks;
    ++ran;
  }
}

int main() {
  int accepted = 0;
  std::thread worker(work);
  std::thread client([&accepted] { accepted = submit(); });
  std::thread manager(stop);
  client.join();
  manager.join();
  worker.join();
  assert(ran == accepted);
}
