// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, exit
// block: withdraw
// A lock of one's own: a flag that is looked at and then set. It shows if two threads see it clear:
// both are inside, and one withdrawal is lost.
#include <atomic>
#include <thread>

#include <omnium/atomic.h>

std::atomic<bool> busy{false};
std::atomic<int> balance{100};

void lock() {
#ifdef FIXED
  while (busy.exchange(true)) std::this_thread::yield();
#else
  while (busy.load()) std::this_thread::yield();
  busy.store(true);
#endif
}

void unlock() { busy.store(false); }

void withdraw(int amount) {
  lock();
  {
    OMNIUM_ATOMIC("withdraw");
    const int before = balance.load();
    balance.store(before - amount);
  }
  unlock();
}

int main() {
  std::thread first(withdraw, 10);
  std::thread second(withdraw, 20);
  first.join();
  second.join();
  return balance.load() == 70 ? 0 : 1;
}
