// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Values that threads share by std::shared_ptr: how many references there are, and who frees the
// value, is no result of the program. Whether there is one at all is, to a weak pointer.
//
// expect: look_twice (with lambda in main#5), unrepeatable read on block of int
#include <omnium/atomic.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "lost_update.h"

std::mutex values_mutex;
std::map<int, std::shared_ptr<std::string>> values;

std::shared_ptr<std::string> get(int key) {
  OMNIUM_ATOMIC("get");
  const std::lock_guard lock(values_mutex);
  const auto found = values.find(key);
  return found == values.end() ? nullptr : found->second;
}

void put(int key, const std::string& text) {
  OMNIUM_ATOMIC("put");
  const auto value = std::make_shared<std::string>(text);
  const std::lock_guard lock(values_mutex);
  values[key] = value;
}

void use_values(int thread) {
  for (int i = 0; i < 300; ++i) {
    put(i % 7, std::string(static_cast<std::size_t>(i % 40), 'x'));
    OMNIUM_ATOMIC("use");
    const auto value = get((i + thread) % 7);
    if (value != nullptr && value->size() > 40) std::abort();
  }
}

std::shared_ptr<int> owner = std::make_shared<int>(5);
std::weak_ptr<int> observer = owner;

void look_twice() {
  OMNIUM_ATOMIC("look_twice");
  const bool before = observer.expired();
  turn(1);
  turn(4);
  if (before == observer.expired()) std::abort();
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(use_values, i);
  for (std::thread& thread : threads) thread.join();
  std::thread other([] {
    turn(2);
    owner.reset();
    turn(3);
  });
  look_twice();
  other.join();
}
