// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// After the violation the block does more than its thread remembers, and then the program exits in
// a block inside it: the finding is neither lost nor blamed on the wrong block.
//
// expect: slow_add (with add), lost update on counter.value
#include <cstdlib>

#include "lost_update.h"

volatile int room[60000];

[[noreturn]] void add_and_exit() {
  OMNIUM_ATOMIC("slow_add");
  add_slowly();
  for (int i = 0; i < 60000; ++i) room[i] = i;
  OMNIUM_ATOMIC("inner");
  room[0] = 1;
  std::exit(0);
}

int main() {
  std::thread slow(add_and_exit);
  std::thread quick([] {
    turn(2);
    add();
    turn(3);
  });
  quick.join();
  slow.join();
}
