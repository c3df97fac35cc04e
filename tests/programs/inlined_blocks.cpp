// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Functions that optimizers like to inline (short methods that are called once) are blocks if they
// contain critical sections or call functions that do. The report shows where they are defined.
//
// expect: Cache::get_or_create (with Cache::forget), lost update on cache.slot
// expect: Cache::replace (with Cache::forget), lost update on cache.slot
// shows: Cache::get_or_create HERE:25
// shows: Cache::replace HERE:37
// options: --blocks functions
// record: no
#include <mutex>
#include <thread>

#include "../../examples/shapes/turns.h"

class Cache {
 public:
  __attribute__((noinline)) void forget() {
    std::lock_guard lock(mutex);
    slot = 0;
  }

  // Two critical sections.
  int get_or_create() {
    {
      std::lock_guard lock(mutex);
      if (slot != 0) return slot;
    }
    turn(1);
    turn(4);
    std::lock_guard lock(mutex);
    return slot = 7;
  }

  // Two calls.
  void replace() {
    const int seen = get();
    turn(5);
    turn(8);
    set(seen + 1);
  }

 private:
  int get() {
    std::lock_guard lock(mutex);
    return slot;
  }
  void set(int to) {
    std::lock_guard lock(mutex);
    slot = to;
  }

  std::mutex mutex;
  int slot = 0;
};
Cache cache;

int main() {
  std::thread first([] {
    cache.get_or_create();
    cache.replace();
  });
  std::thread second([] {
    for (int turns = 0; turns < 8; turns += 4) {
      turn(turns + 2);
      cache.forget();
      turn(turns + 3);
    }
  });
  first.join();
  second.join();
}
