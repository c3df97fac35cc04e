// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Programs that tell ThreadSanitizer about their locks find the same functions here.
//
// expect: nothing
#include <sanitizer/tsan_interface.h>
#include <sched.h>

#include <atomic>
#include <thread>

#include <omnium/atomic.h>

class SpinLock {
 public:
  SpinLock() { __tsan_mutex_create(this, 0); }
  ~SpinLock() { __tsan_mutex_destroy(this, 0); }
  void lock() {
    __tsan_mutex_pre_lock(this, 0);
    while (taken_.exchange(true)) sched_yield();
    __tsan_mutex_post_lock(this, 0, 0);
  }
  void unlock() {
    __tsan_mutex_pre_unlock(this, 0);
    taken_.store(false);
    __tsan_mutex_post_unlock(this, 0);
  }

 private:
  std::atomic<bool> taken_{false};
};

SpinLock spin_lock;
int value = 0;

void add() {
  for (int i = 0; i < 100; ++i) {
    OMNIUM_ATOMIC("add");
    spin_lock.lock();
    value += 1;
    spin_lock.unlock();
  }
}

int main() {
  std::thread first(add), second(add);
  first.join();
  second.join();
  __tsan_acquire(&value);
  __tsan_release(&value);
  return value == 200 ? 0 : 1;
}
