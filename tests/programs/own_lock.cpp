// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A lock of the program's own making, told through <omnium/atomic.h>: held throughout it protects a
// block, held twice it does not.
//
// expect: slow_add (with add), lost update on value
#include <sched.h>

#include <atomic>
#include <thread>
#include <vector>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

class TicketLock {
 public:
  void lock() {
    omnium_ignore_begin();
    const unsigned mine = next_.fetch_add(1);
    while (serving_.load() != mine) sched_yield();
    omnium_ignore_end();
    omnium_acquired(this);
  }
  void unlock() {
    omnium_releasing(this);
    omnium_ignore_begin();
    serving_.fetch_add(1);
    omnium_ignore_end();
  }

 private:
  std::atomic<unsigned> next_{0}, serving_{0};
};

TicketLock ticket_lock;
int value = 0;

void add() {
  OMNIUM_ATOMIC("add");
  ticket_lock.lock();
  value += 1;
  ticket_lock.unlock();
}

void slow_add() {
  OMNIUM_ATOMIC("slow_add");
  ticket_lock.lock();
  const int seen = value;
  ticket_lock.unlock();
  turn(1);
  turn(4);
  ticket_lock.lock();
  value = seen + 1;
  ticket_lock.unlock();
}

int main() {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([] {
      for (int i = 0; i < 50; ++i) add();
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (value != 200) return 1;
  std::thread slow(slow_add);
  std::thread quick([] {
    turn(2);
    add();
    turn(3);
  });
  slow.join();
  quick.join();
}
