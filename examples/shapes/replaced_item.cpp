// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// An item is fetched, and updated after it was replaced: evict() makes another item the current one
// and clears the old one for its next use. The late update lands in a slot that is free by now.
//
// expect: set_price (with evict), stale check on shelf.current and shelf.price[0]
#include <pthread.h>

#include <cstdio>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "turns.h"

struct Shelf {
  std::mutex mutex;
  int current = 0;
  int price[2] = {10, 20};
};

Shelf shelf;

int fetch() {
  std::lock_guard lock(shelf.mutex);
  return shelf.current;
}

void set_price(int price) {
  OMNIUM_ATOMIC("set_price");
  const int item = fetch();
  turn(1);
  turn(4);
  std::lock_guard lock(shelf.mutex);
  shelf.price[item] = price;
}

void evict() {
  OMNIUM_ATOMIC("evict");
  std::lock_guard lock(shelf.mutex);
  shelf.current = 1;
  shelf.price[0] = 0;
}

int main() {
  std::thread clerk([] {
    pthread_setname_np(pthread_self(), "clerk");
    set_price(15);
  });
  std::thread cleaner([] {
    pthread_setname_np(pthread_self(), "cleaner");
    turn(2);
    evict();
    turn(3);
  });
  clerk.join();
  cleaner.join();
  std::printf("the free slot has a price of %d\n", shelf.price[0]);
}
