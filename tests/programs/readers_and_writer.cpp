// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A reader-writer lock, used as it ought to be.
//
// expect: nothing
// predict: nothing
#include <mutex>
#include <shared_mutex>
#include <thread>

#include <omnium/atomic.h>

std::shared_mutex mutex;
long first = 0, second = 0;

void put(long value) {
  OMNIUM_ATOMIC("put");
  const std::unique_lock lock(mutex);
  first = value;
  second = value;
}

long get() {
  OMNIUM_ATOMIC("get");
  const std::shared_lock lock(mutex);
  return first - second;
}

int main() {
  long difference = 0;
  std::thread writer([] {
    for (int i = 0; i < 3; ++i) put(i);
  });
  std::thread reader([&] {
    for (int i = 0; i < 3; ++i) difference += get();
  });
  writer.join();
  reader.join();
  return difference == 0 ? 0 : 1;
}
