// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Each thread owns its bin, and only the mutex around all bins is shared. Who took the mutex first
// is not a result of the program, so nothing is wrong; by the papers' definition something is.
//
// options: --conflicts data
// expect: nothing
// expect with --conflicts all: add (with add), split critical section on mutex
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::mutex mutex;
long bins[2];

long get(int bin) {
  std::lock_guard lock(mutex);
  return bins[bin];
}

void put(int bin, long value) {
  std::lock_guard lock(mutex);
  bins[bin] = value;
}

void add(int bin, int get_turn, int put_turn) {
  OMNIUM_ATOMIC("add");
  turn(get_turn);
  const long value = get(bin);
  turn(get_turn + 1);
  turn(put_turn);
  put(bin, value + 1);
  turn(put_turn + 1);
}

int main() {
  std::thread first([] { add(0, 1, 7); }), second([] { add(1, 3, 5); });
  first.join();
  second.join();
  return bins[0] == 1 && bins[1] == 1 ? 0 : 1;
}
