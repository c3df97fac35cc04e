// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A compare-exchange loop behind a read that is stale when the loop succeeds: another thread
// changed both. The failed attempt hides nothing, because that thread noticed the read.
//
// options: --conflicts data --waits split
// expect: add (with change), stale check on limit and counter
// expect with --conflicts data --waits keep: add (with change), stale check on limit and counter
#include <atomic>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::atomic<int> limit{10}, counter{0};

void add() {
  OMNIUM_ATOMIC("add");
  const int most = limit.load();
  int seen = counter.load();
  turn(1);
  turn(4);
  while (seen < most && !counter.compare_exchange_strong(seen, seen + 1)) {
  }
}

void change() {
  OMNIUM_ATOMIC("change");
  limit.store(1);
  counter.store(1);
}

int main() {
  std::thread adder(add);
  std::thread changer([] {
    turn(2);
    change();
    turn(3);
  });
  adder.join();
  changer.join();
  return counter == 2 ? 0 : 1;
}
