// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The opposite of stream_locks.cpp: a block that gives the lock up in between can be interrupted.
//
// expect: nothing
// predict: certain
#include <stdio.h>

#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

long lines = 0;

void print_two() {
  OMNIUM_ATOMIC("print two");
  flockfile(stderr);
  const long before = lines;
  funlockfile(stderr);
  flockfile(stderr);
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
