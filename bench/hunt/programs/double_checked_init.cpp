// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: initialize, limit
// Double-checked initialization that publishes the pointer before the object is filled. It shows
// if a request comes in between: it skips the lock and sees the limit 0.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

struct Settings {
  std::atomic<int> limit{0};
};

std::mutex mutex;
Settings settings;
std::atomic<Settings*> instance{nullptr};

void initialize() {
  OMNIUM_ATOMIC("initialize");
  std::lock_guard lock(mutex);
  if (instance.load() != nullptr) return;
#ifdef FIXED
  settings.limit.store(100);
  instance.store(&settings);
#else
  instance.store(&settings);
  settings.limit.store(100);
#endif
}

int limit() {
  OMNIUM_ATOMIC("limit");
  return instance.load()->limit.load();
}

void request() {
  if (instance.load() == nullptr) initialize();
  assert(limit() == 100);
}

int main() {
  std::thread first(request);
  std::thread second(request);
  first.join();
  second.join();
}
