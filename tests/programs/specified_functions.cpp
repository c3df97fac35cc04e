// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// All functions are blocks, and a specification says which of them should be atomic. What calls
// them is not a block then, but it is still what the thread starts with.
//
// expect: shop::Shelf::add (with shop::Shelf::set), lost update on shop::shelf.count
// options: --blocks functions
// record: no
#include <mutex>
#include <thread>

#include "../../examples/shapes/turns.h"

namespace shop {

struct Shelf {
  std::mutex mutex;
  int count = 0;

  __attribute__((noinline)) int get() {
    std::lock_guard lock(mutex);
    return count;
  }
  __attribute__((noinline)) void set(int to) {
    std::lock_guard lock(mutex);
    count = to;
  }
  __attribute__((noinline)) void add(int turns) {
    const int seen = get();
    turn(turns + 1);
    turn(turns + 4);
    set(seen + 1);
  }
};
Shelf shelf;

}  // namespace shop

// Does the same, but need not be atomic.
__attribute__((noinline)) void count() {
  const int seen = shop::shelf.get();
  turn(5);
  turn(8);
  shop::shelf.set(seen + 1);
}

int main() {
  std::thread first([] {
    shop::shelf.add(0);
    count();
  });
  std::thread second([] {
    for (int turns = 0; turns < 8; turns += 4) {
      turn(turns + 2);
      shop::shelf.set(10);
      turn(turns + 3);
    }
  });
  first.join();
  second.join();
}
