// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A lost update in the part of a block that follows a wait: the wait hides what came before it, and
// nothing that comes after it.
//
// options: --conflicts data --waits split
// expect: add (with set), lost update on value
// shows: add HERE:24 was not atomic: set
// shows: in its part after waiting at HERE:27
#include <condition_variable>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::mutex mutex;
std::condition_variable changed;
bool ready = false;
int value = 0;

void add() {
  OMNIUM_ATOMIC("add");
  std::unique_lock lock(mutex);
  turn(1);
  while (!ready) changed.wait(lock);
  const int seen = value;
  lock.unlock();
  turn(3);
  turn(6);
  lock.lock();
  value = seen + 1;
}

void set() {
  OMNIUM_ATOMIC("set");
  std::lock_guard lock(mutex);
  value = 10;
}

void wake() {
  std::lock_guard lock(mutex);
  ready = true;
  changed.notify_one();
}

int main() {
  std::thread adder(add);
  std::thread setter([] {
    turn(2);
    wake();
    turn(4);
    set();
    turn(5);
  });
  adder.join();
  setter.join();
}
