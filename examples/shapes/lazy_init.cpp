// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Double-checked lazy initialization that publishes too early: the pointer is set before the object
// is filled. All accesses are atomic or locked, so there is no data race; the reader that skips the
// lock sees a pointer to something unfinished.
//
// expect: initialize (with request), torn update on instance and settings.limit
#include <pthread.h>

#include <atomic>
#include <cstdio>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "turns.h"

struct Settings {
  std::atomic<int> limit{0};
};

Settings settings;
std::atomic<Settings*> instance{nullptr};
std::mutex mutex;

void initialize() {
  OMNIUM_ATOMIC("initialize");
  std::lock_guard lock(mutex);
  if (instance.load() != nullptr) return;
  instance.store(&settings);
  turn(1);
  turn(4);
  settings.limit.store(100);
}

int request() {
  OMNIUM_ATOMIC("request");
  const Settings* found = instance.load();
  return found == nullptr ? -1 : found->limit.load();
}

int main() {
  std::thread first([] {
    pthread_setname_np(pthread_self(), "first");
    if (instance.load() == nullptr) initialize();
  });
  std::thread second([] {
    pthread_setname_np(pthread_self(), "second");
    turn(2);
    std::printf("the limit is %d, not 100\n", request());
    turn(3);
  });
  first.join();
  second.join();
}
