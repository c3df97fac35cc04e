// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// std::scoped_lock takes two locks in any order: it waits for one of them and tries the other.
//
// expect: nothing
// predict: nothing
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

std::mutex left, right;
int moved;

void move_left() {
  OMNIUM_ATOMIC("move_left");
  std::scoped_lock lock(left, right);
  ++moved;
}

void move_right() {
  OMNIUM_ATOMIC("move_right");
  std::scoped_lock lock(right, left);
  ++moved;
}

int main() {
  std::thread first([] {
    for (int i = 0; i < 20; ++i) move_left();
  });
  std::thread second([] {
    for (int i = 0; i < 20; ++i) move_right();
  });
  first.join();
  second.join();
}
