// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// lazy_init.cpp mended: not lazy. What all threads read is there before they start.
//
// expect: nothing
#include <memory>
#include <thread>
#include <vector>

#include <omnium/atomic.h>

struct Settings {
  int limit = 0;
};

std::unique_ptr<Settings> settings;

void initialize() {
  OMNIUM_ATOMIC("initialize");
  settings = std::make_unique<Settings>();
  settings->limit = 100;
}

int request() {
  OMNIUM_ATOMIC("request");
  return settings->limit;
}

int main() {
  initialize();
  std::vector<std::thread> threads;
  std::vector<int> limits(8);
  for (int& limit : limits) threads.emplace_back([&limit] { limit = request(); });
  for (std::thread& thread : threads) thread.join();
  for (const int limit : limits) {
    if (limit != 100) return 1;
  }
}
