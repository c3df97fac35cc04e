// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// size_then_get.cpp mended: latest() is a method that asks and gets under one lock.
//
// expect: nothing
#include <mutex>
#include <optional>
#include <thread>

#include <omnium/atomic.h>

class Readings {
 public:
  void add(double value) {
    OMNIUM_ATOMIC("add");
    std::lock_guard lock(mutex_);
    if (size_ < 8) values_[size_++] = value;
  }
  void clear() {
    OMNIUM_ATOMIC("clear");
    std::lock_guard lock(mutex_);
    size_ = 0;
  }
  std::optional<double> latest() {
    OMNIUM_ATOMIC("latest");
    std::lock_guard lock(mutex_);
    if (size_ == 0) return std::nullopt;
    return values_[size_ - 1];
  }

 private:
  std::mutex mutex_;
  int size_ = 0;
  double values_[8] = {};
};

Readings readings;

int main() {
  std::thread cleaner([] {
    for (int i = 0; i < 50; ++i) {
      readings.add(20.5);
      readings.clear();
    }
  });
  bool wrong = false;
  for (int i = 0; i < 100; ++i) {
    if (const auto value = readings.latest()) wrong |= *value != 20.5;
  }
  cleaner.join();
  return wrong ? 1 : 0;
}
