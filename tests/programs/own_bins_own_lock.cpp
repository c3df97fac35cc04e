// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Each thread owns its bin, and the lock around all bins is one of the program's own making
// (compare own_bins.cpp).
//
// options: --conflicts data
// expect: nothing
// expect with --conflicts all: add (with add), split critical section on spin_lock.taken_
#include <atomic>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

class SpinLock {
 public:
  void lock() {
    omnium_ignore_begin();
    while (taken_.exchange(true)) sched_yield();
    omnium_ignore_end();
    omnium_acquired(this);
  }
  void unlock() {
    omnium_releasing(this);
    omnium_ignore_begin();
    taken_.store(false);
    omnium_ignore_end();
  }

 private:
  std::atomic<bool> taken_{false};
};

SpinLock spin_lock;
long bins[2];

void add(int bin, int first_turn, int second_turn) {
  OMNIUM_ATOMIC("add");
  turn(first_turn);
  spin_lock.lock();
  const long value = bins[bin];
  spin_lock.unlock();
  turn(first_turn + 1);
  turn(second_turn);
  spin_lock.lock();
  bins[bin] = value + 1;
  spin_lock.unlock();
  turn(second_turn + 1);
}

int main() {
  std::thread first([] { add(0, 1, 7); }), second([] { add(1, 3, 5); });
  first.join();
  second.join();
  return bins[0] == 1 && bins[1] == 1 ? 0 : 1;
}
