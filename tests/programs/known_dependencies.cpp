// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A thread reads several values that another one wrote in its open block. Only the first of these
// dependencies has an effect, until the writer begins a block inside of its block.
//
// expect: inner (with reader), broken hand-over on inside and answer
#include <atomic>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::atomic<int> a{0}, b{0}, inside{0}, answer{0};

void write_all() {
  OMNIUM_ATOMIC("outer");
  a.store(1);
  b.store(1);
  turn(1);
  turn(4);
  OMNIUM_ATOMIC("inner");
  inside.store(1);
  turn(5);
  turn(8);
  answer.load();
}

void read_all() {
  OMNIUM_ATOMIC("reader");
  turn(2);
  a.load();
  b.load();
  turn(3);
  turn(6);
  inside.load();
  answer.store(1);
  turn(7);
}

int main() {
  std::thread first(write_all), second(read_all);
  first.join();
  second.join();
}
