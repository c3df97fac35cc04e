// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The lock of a stream is a lock, also if a thread takes it several times: nobody comes between the
// two steps of a block that keeps it.
//
// expect: nothing
// predict: nothing
#include <stdio.h>

#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

long lines = 0;

void print_two() {
  OMNIUM_ATOMIC("print two");
  flockfile(stderr);
  const long before = lines;
  flockfile(stderr);
  funlockfile(stderr);
  lines = before + 2;
  funlockfile(stderr);
}

void print_one() {
  OMNIUM_ATOMIC("print one");
  if (ftrylockfile(stderr) != 0) return;
  lines = 7;
  funlockfile(stderr);
}

int main() {
  std::thread first([] {
    turn(1);
    print_two();
    turn(2);
  });
  std::thread second([] {
    turn(3);
    print_one();
  });
  first.join();
  second.join();
}
