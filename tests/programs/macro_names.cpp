// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A macro hides which member of an object in a pool it accesses: its definition tells.
//
// record: no
// expect: drop_slowly (with drop), dirty read on Item::references
#include <cstdlib>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

struct Item {
  unsigned short flags, references;
  int state;
};

#define references_of(it) (it->references)

void* pool = std::calloc(1, 1 << 16);

Item* item() { return reinterpret_cast<Item*>(static_cast<char*>(pool) + 1024); }

__attribute__((noinline)) void decrease(Item* it, int by) {
  references_of(it) = static_cast<unsigned short>(references_of(it) - by);
}

void drop() {
  OMNIUM_ATOMIC("drop");
  decrease(item(), 1);
}

void drop_slowly() {
  OMNIUM_ATOMIC("drop_slowly");
  decrease(item(), 1);
  turn(1);
  turn(4);
  decrease(item(), 1);
}

int main() {
  std::thread first(drop_slowly), second([] {
    turn(2);
    drop();
    turn(3);
  });
  first.join();
  second.join();
}
