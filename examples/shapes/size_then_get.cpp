// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Check-then-act on a container: each method holds the lock, but latest() calls two of them, and
// the size that it asked for is gone when it gets the element.
//
// expect: latest (with clear), unrepeatable read on readings.size_
#include <pthread.h>

#include <cstdio>
#include <mutex>
#include <optional>
#include <thread>

#include <omnium/atomic.h>

#include "turns.h"

class Readings {
 public:
  int size() {
    std::lock_guard lock(mutex_);
    return size_;
  }
  std::optional<double> get(int index) {
    std::lock_guard lock(mutex_);
    if (index >= size_) return std::nullopt;
    return values_[index];
  }
  void clear() {
    OMNIUM_ATOMIC("clear");
    std::lock_guard lock(mutex_);
    size_ = 0;
  }

 private:
  std::mutex mutex_;
  int size_ = 3;
  double values_[8] = {20.5, 21.0, 21.5};
};

Readings readings;

std::optional<double> latest() {
  OMNIUM_ATOMIC("latest");
  const int size = readings.size();
  if (size == 0) return std::nullopt;
  turn(1);
  turn(4);
  return readings.get(size - 1);
}

int main() {
  std::thread display([] {
    pthread_setname_np(pthread_self(), "display");
    if (!latest()) std::printf("there was a latest reading, and it is gone\n");
  });
  std::thread cleaner([] {
    pthread_setname_np(pthread_self(), "cleaner");
    turn(2);
    readings.clear();
    turn(3);
  });
  display.join();
  cleaner.join();
}
