// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A block that spins on an atomic flag waits for another thread: each look at the flag that finds
// it unchanged is an attempt that failed.
//
// options: --conflicts data --waits split
// expect: nothing
// expect with --conflicts data --waits keep: consume (with produce), unrepeatable read on ready
#include <atomic>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::atomic<bool> ready{false};
int item = 0, received = 0;

void consume() {
  OMNIUM_ATOMIC("consume");
  for (int looks = 0; !ready.load(); ++looks) {
    if (looks == 2) turn(1);
  }
  received = item;
}

void produce() {
  OMNIUM_ATOMIC("produce");
  item = 7;
  ready.store(true);
}

int main() {
  std::thread consumer(consume);
  std::thread producer([] {
    turn(2);
    produce();
  });
  consumer.join();
  producer.join();
  return received == 7 ? 0 : 1;
}
