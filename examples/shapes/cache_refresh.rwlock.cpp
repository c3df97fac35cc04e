// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// cache_refresh.cpp mended: refresh() has the reader-writer lock for itself from the removal to the
// insertion.
//
// expect: nothing
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

#include <omnium/atomic.h>

struct Cache {
  std::shared_mutex mutex;
  bool present = true;
  int value = 1;
};

Cache cache;

void refresh(int value) {
  OMNIUM_ATOMIC("refresh");
  std::unique_lock lock(cache.mutex);
  cache.present = false;
  cache.value = value;
  cache.present = true;
}

bool lookup(int* value) {
  OMNIUM_ATOMIC("lookup");
  std::shared_lock lock(cache.mutex);
  if (!cache.present) return false;
  *value = cache.value;
  return true;
}

int main() {
  std::vector<int> misses(3);
  std::vector<std::thread> readers;
  for (int& mine : misses) {
    readers.emplace_back([&mine] {
      int value = 0;
      for (int i = 0; i < 100; ++i) mine += lookup(&value) ? 0 : 1;
    });
  }
  for (int i = 0; i < 50; ++i) refresh(i);
  for (std::thread& reader : readers) reader.join();
  return misses[0] + misses[1] + misses[2] == 0 ? 0 : 1;
}
