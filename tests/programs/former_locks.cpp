// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Nothing is called when a std::mutex is destroyed. What is made in its place is data, whether it
// is an atomic variable or a plain one; and a mutex that is made in the place of data is a lock.
//
// expect: update (with overwrite), lost update on slots[0]
// expect: update plainly (with overwrite plainly), lost update on slots[64]
// expect with --conflicts all: update (with overwrite), lost update on slots[0]
// expect with --conflicts all: update plainly (with overwrite plainly), lost update on slots[64]
#include <atomic>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

alignas(64) char slots[192];

template <class Lock>
void use_as_lock(char* slot) {
  OMNIUM_ATOMIC("use as lock");
  auto* lock = new (slot) Lock;
  lock->lock();
  lock->unlock();
  lock->~Lock();
}

void update(std::atomic<int>& value) {
  OMNIUM_ATOMIC("update");
  const int seen = value;
  turn(1);
  turn(4);
  value = seen + 1;
}
void overwrite(std::atomic<int>& value) {
  OMNIUM_ATOMIC("overwrite");
  value = 10;
}

void update_plainly(long& value, std::mutex& mutex) {
  OMNIUM_ATOMIC("update plainly");
  long seen = 0;
  {
    std::lock_guard lock(mutex);
    seen = value;
  }
  turn(5);
  turn(8);
  std::lock_guard lock(mutex);
  value = seen + 1;
}
void overwrite_plainly(long& value, std::mutex& mutex) {
  OMNIUM_ATOMIC("overwrite plainly");
  std::lock_guard lock(mutex);
  value = 10;
}

int main() {
  use_as_lock<std::mutex>(slots);
  use_as_lock<std::shared_mutex>(slots + 64);
  auto& value = *new (slots) std::atomic<int>(0);
  auto& plain = *new (slots + 64) long(0);
  auto& mutex = *new (slots + 128) std::mutex;
  std::thread first([&] {
    update(value);
    update_plainly(plain, mutex);
  });
  std::thread second([&] {
    turn(2);
    overwrite(value);
    turn(3);
    turn(6);
    overwrite_plainly(plain, mutex);
    turn(7);
  });
  first.join();
  second.join();
}
