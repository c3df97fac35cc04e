// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Waiting on a condition variable inside a block gives the mutex away: what is said to be atomic is
// not.
//
// options: --waits keep
// expect: consume (with produce), unrepeatable read on ready
#include <condition_variable>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::mutex mutex;
std::condition_variable changed;
bool ready = false;

void consume() {
  OMNIUM_ATOMIC("consume");
  std::unique_lock lock(mutex);
  turn(1);
  while (!ready) changed.wait(lock);
}

void produce() {
  OMNIUM_ATOMIC("produce");
  std::lock_guard lock(mutex);
  ready = true;
  changed.notify_one();
}

int main() {
  std::thread consumer(consume);
  std::thread producer([] {
    turn(2);
    produce();
  });
  consumer.join();
  producer.join();
}
