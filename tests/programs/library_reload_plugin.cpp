// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What library_reload.cpp loads.
#include <mutex>
#include <vector>

#include <omnium/atomic.h>

static std::mutex mutex;
static std::vector<int> numbers;

extern "C" int append(int number) {
  OMNIUM_ATOMIC("append");
  std::lock_guard lock(mutex);
  numbers.push_back(number);
  return static_cast<int>(numbers.size());
}
