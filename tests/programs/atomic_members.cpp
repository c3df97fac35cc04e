// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Atomic members of an object in an arena: what their functions access is the member itself.
//
// expect: count (with add), unrepeatable read on Slots::used
// expect: look (with put), unrepeatable read on Slots::values[]
#include <atomic>
#include <cstdlib>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

struct Slots {
  long first;
  std::atomic<int> used;
  std::atomic<short> values[4];
};

void* arena = std::calloc(1, 1 << 12);

__attribute__((noinline)) Slots* slots() {
  return reinterpret_cast<Slots*>(static_cast<char*>(arena) + 512);
}

__attribute__((noinline)) void put(int i) {
  OMNIUM_ATOMIC("put");
  slots()->values[i].store(1);
}

__attribute__((noinline)) void add() {
  OMNIUM_ATOMIC("add");
  ++slots()->used;
}

__attribute__((noinline)) int look(int i) {
  OMNIUM_ATOMIC("look");
  const int before = slots()->values[i].load();
  turn(1);
  turn(4);
  return before + slots()->values[i].load();
}

__attribute__((noinline)) int count() {
  OMNIUM_ATOMIC("count");
  const int before = slots()->used.load();
  turn(5);
  turn(8);
  return before + slots()->used.load();
}

int main() {
  std::thread first([] {
    look(2);
    count();
  });
  std::thread second([] {
    turn(2);
    put(2);
    turn(3);
    turn(6);
    add();
    turn(7);
  });
  first.join();
  second.join();
  std::free(arena);
}
