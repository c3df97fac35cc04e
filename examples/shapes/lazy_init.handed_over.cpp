// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// lazy_init.cpp mended: the object is filled first, and one atomic store hands it over, finished.
// The block is what the lock protects; the quick look before it is not part of it.
//
// expect: nothing
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include <omnium/atomic.h>

struct Settings {
  int limit = 0;
};

Settings settings;
std::atomic<Settings*> instance{nullptr};
std::mutex mutex;

Settings* get() {
  if (Settings* found = instance.load(std::memory_order_acquire)) return found;
  std::lock_guard lock(mutex);
  OMNIUM_ATOMIC("initialize");
  Settings* found = instance.load(std::memory_order_relaxed);
  if (found != nullptr) return found;
  settings.limit = 100;
  instance.store(&settings, std::memory_order_release);
  return &settings;
}

int request() {
  const Settings* found = get();
  OMNIUM_ATOMIC("request");
  return found->limit;
}

int main() {
  std::vector<std::thread> threads;
  std::vector<int> limits(8);
  for (int& limit : limits) threads.emplace_back([&limit] { limit = request(); });
  for (std::thread& thread : threads) thread.join();
  for (const int limit : limits) {
    if (limit != 100) return 1;
  }
}
