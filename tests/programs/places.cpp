// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Places are lines of this file, whatever the C++ library does in functions of its own.
//
// expect: slow_add (with add), lost update on Account::balance
// expect: slow_count (with count), lost update on counter
// shows: slow#1 atomically read counter (HERE:41), then quick#2 atomically updated it (HERE:58)
// shows: quick#2 atomically updated counter (HERE:58), then slow#1 atomically wrote it (HERE:44)
// shows: 1 lock mutex :32 2 read
// shows: 3 unlock mutex :34 ◄ the window opens here
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

struct Account {
  long number = 0;
  int balance = 0;
};

std::mutex mutex;
std::unique_ptr<Account> account = std::make_unique<Account>();
std::atomic<int> counter = 0;

void slow() {
  {
    OMNIUM_ATOMIC("slow_add");
    std::unique_lock lock(mutex);
    const int old = account->balance;
    lock.unlock();
    turn(1);
    turn(4);
    const std::lock_guard again(mutex);
    account->balance = old + 1;
  }
  OMNIUM_ATOMIC("slow_count");
  const int old = counter.load();
  turn(5);
  turn(8);
  counter = old + 1;
}

void quick() {
  turn(2);
  {
    OMNIUM_ATOMIC("add");
    const std::lock_guard lock(mutex);
    account->balance += 2;
  }
  turn(3);
  turn(6);
  {
    OMNIUM_ATOMIC("count");
    counter += 2;
  }
  turn(7);
}

int main() {
  std::thread one(slow), two(quick);
  one.join();
  two.join();
}
