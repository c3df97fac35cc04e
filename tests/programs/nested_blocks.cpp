// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Blocks in blocks: the innermost one that was not atomic is named.
//
// expect: pay (with refund), lost update on account
// expect: restock (with take), read skew on shelf and store
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::mutex mutex;
int account = 100, shelf = 1, store = 9;

int look(const int& at) {
  std::lock_guard lock(mutex);
  return at;
}

void put(int& at, int to) {
  std::lock_guard lock(mutex);
  at = to;
}

void pay() {
  OMNIUM_ATOMIC("pay");
  const int seen = look(account);
  turn(1);
  turn(4);
  put(account, seen - 10);
}

void checkout() {
  OMNIUM_ATOMIC("checkout");
  pay();
}

int count(const int& at) {
  OMNIUM_ATOMIC("count");
  return look(at);
}

int restock() {
  OMNIUM_ATOMIC("restock");
  const int on_shelf = count(shelf);
  turn(5);
  turn(8);
  return on_shelf + count(store);
}

int main() {
  std::thread first([] {
    checkout();
    restock();
  });
  std::thread second([] {
    turn(2);
    {
      OMNIUM_ATOMIC("refund");
      std::lock_guard lock(mutex);
      account += 10;
    }
    turn(3);
    turn(6);
    {
      OMNIUM_ATOMIC("take");
      std::lock_guard lock(mutex);
      shelf += 1;
      store -= 1;
    }
    turn(7);
  });
  first.join();
  second.join();
}
