// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A cache entry is removed and inserted again as one logical operation. A look-up in between misses
// an entry that nobody ever wanted to remove.
//
// expect: refresh (with lookup), dirty read on cache.present
#include <pthread.h>

#include <cstdio>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "turns.h"

struct Cache {
  std::mutex mutex;
  bool present = true;
  int value = 1;
};

Cache cache;

void remove() {
  std::lock_guard lock(cache.mutex);
  cache.present = false;
}

void insert(int value) {
  std::lock_guard lock(cache.mutex);
  cache.value = value;
  cache.present = true;
}

void refresh() {
  OMNIUM_ATOMIC("refresh");
  remove();
  turn(1);
  turn(4);
  insert(2);
}

bool lookup(int* value) {
  OMNIUM_ATOMIC("lookup");
  std::lock_guard lock(cache.mutex);
  if (!cache.present) return false;
  *value = cache.value;
  return true;
}

int main() {
  std::thread refresher([] {
    pthread_setname_np(pthread_self(), "refresher");
    refresh();
  });
  std::thread reader([] {
    pthread_setname_np(pthread_self(), "reader");
    turn(2);
    int value = 0;
    if (!lookup(&value)) std::printf("a miss for an entry that is always there\n");
    turn(3);
  });
  refresher.join();
  reader.join();
}
