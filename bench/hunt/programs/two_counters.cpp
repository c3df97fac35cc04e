// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: add, check
// Sum and number of what was measured are two atomic counters. It shows if they are read between
// the two updates, or updated between the two reads.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

std::mutex mutex;
std::atomic<long> sum{0};
std::atomic<long> number{0};

void add(long value) {
  OMNIUM_ATOMIC("add");
#ifdef FIXED
  std::lock_guard lock(mutex);
#endif
  sum.fetch_add(value);
  number.fetch_add(1);
}

void check() {
  OMNIUM_ATOMIC("check");
#ifdef FIXED
  std::lock_guard lock(mutex);
#endif
  const long found = sum.load();
  assert(found == 5 * number.load());
}

int main() {
  std::thread sensor(add, 5);
  std::thread reader(check);
  sensor.join();
  reader.join();
}
