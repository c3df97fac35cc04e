// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// replaced_item.cpp mended: the item is fetched and updated under one lock.
//
// expect: nothing
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

struct Shelf {
  std::mutex mutex;
  int current = 0;
  int price[2] = {10, 0};
};

Shelf shelf;

void set_price(int price) {
  OMNIUM_ATOMIC("set_price");
  std::lock_guard lock(shelf.mutex);
  shelf.price[shelf.current] = price;
}

void evict() {
  OMNIUM_ATOMIC("evict");
  std::lock_guard lock(shelf.mutex);
  const int old = shelf.current;
  shelf.current = 1 - old;
  shelf.price[1 - old] = shelf.price[old];
  shelf.price[old] = 0;
}

int main() {
  std::thread clerk([] {
    for (int i = 1; i <= 200; ++i) set_price(i);
  });
  for (int i = 0; i < 101; ++i) evict();
  clerk.join();
  return shelf.price[0] == 0 && shelf.price[1] == 200 ? 0 : 1;
}
