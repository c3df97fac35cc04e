// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Each thread owns its bin, and a semaphore of the C++ library serves as the lock around all bins
// (compare own_bins.cpp).
//
// options: --conflicts data
// expect: nothing
// expect with --conflicts all: add (with add), split critical section on lock
#include <semaphore>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::binary_semaphore lock(1);
long bins[2];

long get(const long& from) {
  lock.acquire();
  const long value = from;
  lock.release();
  return value;
}

void put(long& to, long value) {
  lock.acquire();
  to = value;
  lock.release();
}

void add(long& to, int first_turn, int second_turn) {
  OMNIUM_ATOMIC("add");
  turn(first_turn);
  const long value = get(to);
  turn(first_turn + 1);
  turn(second_turn);
  put(to, value + 1);
  turn(second_turn + 1);
}

int main() {
  std::thread first([] { add(bins[0], 1, 7); }), second([] { add(bins[1], 3, 5); });
  first.join();
  second.join();
  return bins[0] == 1 && bins[1] == 1 ? 0 : 1;
}
