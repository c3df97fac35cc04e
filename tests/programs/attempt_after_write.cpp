// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A failed attempt on a variable that the block has also written: another thread overwrote what the
// block wrote, so the attempt did not come to nothing.
//
// options: --conflicts data --waits split
// expect: look (with set), unrepeatable read on state
#include <atomic>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::atomic<int> state{0};

void look() {
  OMNIUM_ATOMIC("look");
  state.load();
  turn(1);
  turn(4);
  int unlikely = -1;
  state.compare_exchange_strong(unlikely, 0);
}

void update() {
  OMNIUM_ATOMIC("update");
  state.load();
  state.store(1);
  look();
}

void set() {
  OMNIUM_ATOMIC("set");
  state.store(2);
}

int main() {
  std::thread updater(update);
  std::thread setter([] {
    turn(2);
    set();
    turn(3);
  });
  updater.join();
  setter.join();
}
