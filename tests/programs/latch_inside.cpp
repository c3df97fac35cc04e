// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A block that waits at a latch for another thread has two parts. A latch that was open before the
// block began is no wait: what another thread does meanwhile is found.
//
// options: --conflicts data --waits split
// expect: not_waiting (with set), lost update on second
#include <latch>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

int first = 0, second = 0;
std::latch before(2), after(2);

void waiting() {
  OMNIUM_ATOMIC("waiting");
  const int seen = first;
  before.arrive_and_wait();
  after.arrive_and_wait();
  first = seen + 1;
}

void setter() {
  before.arrive_and_wait();
  first = 10;
  after.arrive_and_wait();
}

void not_waiting() {
  OMNIUM_ATOMIC("not_waiting");
  const int seen = second;
  turn(1);
  turn(4);
  after.wait();
  second = seen + 1;
}

void set() {
  turn(2);
  {
    OMNIUM_ATOMIC("set");
    second = 10;
  }
  turn(3);
}

int main() {
  std::thread sets(setter), waits(waiting);
  sets.join();
  waits.join();
  std::thread passes(not_waiting), interferes(set);
  passes.join();
  interferes.join();
  return first == 1 && second == 1 ? 0 : 1;
}
