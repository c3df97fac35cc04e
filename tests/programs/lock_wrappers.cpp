// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A program with a mutex and a guard of its own. Critical sections begin and end where a function
// uses them, not in their methods, as far as the compiler inlines these. read() is no such method:
// it gives the lock back that it takes.
//
// flags: -O2
// expect: change (with put), lost update on account.balance
// shows: lock account.mutex.mutex_ :48
// shows: read account.balance :43
// shows: unlock account.mutex.mutex_ :44 ◄ the window opens here
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

class Mutex {
 public:
  void take() { mutex_.lock(); }
  void give_back() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

class Guard {
 public:
  explicit Guard(Mutex& mutex) : mutex_(mutex) { mutex_.take(); }
  ~Guard() { mutex_.give_back(); }

 private:
  Mutex& mutex_;
};

struct Account {
  Mutex mutex;
  int balance = 100;

  [[gnu::always_inline]] int read() {
    mutex.take();
    const int found = balance;
    mutex.give_back();
    return found;
  }
  [[gnu::noinline]] void write(int to) {
    Guard guard(mutex);
    balance = to;
  }
};

Account account;

int main() {
  std::thread first([] {
    OMNIUM_ATOMIC("change");
    const int found = account.read();
    turn(1);
    turn(4);
    account.write(found + 1);
  });
  std::thread second([] {
    OMNIUM_ATOMIC("put");
    turn(2);
    account.write(50);
    turn(3);
  });
  first.join();
  second.join();
}
