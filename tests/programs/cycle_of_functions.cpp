// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// No block is annotated, so functions are blocks. Two calls of meet() come between each other's
// accesses. None of them alone is to blame, which is known when the program has ended.
//
// expect: not serializable: cycle of 2 transactions: meet and meet
#include <atomic>
#include <thread>

#include "../../examples/shapes/turns.h"

std::atomic<int> x{0}, y{0}, z{0};

__attribute__((noinline)) int look() { return z.load(); }

__attribute__((noinline)) void meet(std::atomic<int>& mine, const std::atomic<int>& other,
                                    int at) {
  turn(at);
  mine.store(1);
  turn(at + 2);
  turn(at + 4);
  other.load();
}

int main() {
  std::thread first([] {
    look();
    meet(x, y, 1);
  });
  std::thread second([] {
    look();
    meet(y, x, 2);
  });
  first.join();
  second.join();
}
