// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A bounded buffer whose put waits inside an atomic block: what comes before the wait and what
// comes after it are two parts. Without parts the block is interrupted by whoever makes room.
//
// options: --conflicts data --waits split
// expect: nothing
// expect with --conflicts data --waits keep: put (with take), unrepeatable read on count
#include <condition_variable>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::mutex mutex;
std::condition_variable changed;
int count = 1;

void put() {
  OMNIUM_ATOMIC("put");
  std::unique_lock lock(mutex);
  turn(1);
  while (count == 1) changed.wait(lock);
  count = 1;
}

void take() {
  OMNIUM_ATOMIC("take");
  std::lock_guard lock(mutex);
  count = 0;
  changed.notify_one();
}

int main() {
  std::thread producer(put);
  std::thread consumer([] {
    turn(2);
    take();
  });
  producer.join();
  consumer.join();
  return count == 1 ? 0 : 1;
}
