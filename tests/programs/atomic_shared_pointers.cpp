// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// std::atomic<std::shared_ptr> is an atomic variable: attempts that fail and waits are no
// violations of a block, a store that overwrites what another thread has stored is.
//
// flags: -std=c++20
// expect: replace (with store_twenty), lost update on settings
#include <omnium/atomic.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "../../examples/shapes/turns.h"

std::atomic<std::shared_ptr<int>> counter = std::make_shared<int>(0);
std::atomic<std::shared_ptr<int>> announced;
std::atomic<std::shared_ptr<int>> settings = std::make_shared<int>(1);
std::atomic<std::weak_ptr<int>> observed;

void add() {
  OMNIUM_ATOMIC("add");
  auto old = counter.load();
  while (!counter.compare_exchange_weak(old, std::make_shared<int>(*old + 1))) {
  }
}

// A value that another thread stores meanwhile, for sure.
void add_after_other() {
  OMNIUM_ATOMIC("add_after_other");
  auto old = counter.load();
  turn(1);
  turn(4);
  while (!counter.compare_exchange_strong(old, std::make_shared<int>(*old + 1))) {
  }
}

void await_announcement() {
  OMNIUM_ATOMIC("await_announcement");
  turn(5);
  announced.wait(nullptr);
  if (announced.load() == nullptr || *announced.load() != 7) std::abort();
}

void replace() {
  OMNIUM_ATOMIC("replace");
  const auto old = settings.load();
  turn(7);
  turn(10);
  settings.store(std::make_shared<int>(*old + 1));
}

void store_twenty() {
  OMNIUM_ATOMIC("store_twenty");
  settings.exchange(std::make_shared<int>(20));
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int round = 0; round < 200; ++round) add();
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (*counter.load() != 800) std::abort();

  std::thread other([] {
    turn(2);
    add();
    turn(3);
    turn(6);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    observed = announced.exchange(std::make_shared<int>(7));
    if (!observed.load().expired()) std::abort();
    announced.notify_all();
    turn(8);
    store_twenty();
    turn(9);
  });
  add_after_other();
  await_announcement();
  replace();
  other.join();
  if (*counter.load() != 802 || *settings.load() != 2) std::abort();
  if (counter.load().use_count() != 2) std::abort();
}
