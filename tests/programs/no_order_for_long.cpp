// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// As no_order, but each block does so much in between that its thread remembers neither what it
// wrote first nor that the block began. Who reached whom is known all the same.
//
// expect: not serializable: cycle of 2 transactions: right and left
// shows: right (right#2) must come before left (left#1)
#include <atomic>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::atomic<int> x{0}, y{0};

// More events than a history has entries. They are no repetitions.
void fill(volatile int* room) {
  for (int i = 0; i < 20000; ++i) room[i] = i;
}

volatile int left_room[20000], right_room[20000];

void left() {
  OMNIUM_ATOMIC("left");
  turn(1);
  turn(3);
  x.store(1);
  fill(left_room);
  turn(4);
  turn(7);
  y.load();
  turn(8);
}

void right() {
  OMNIUM_ATOMIC("right");
  turn(2);
  turn(5);
  y.store(1);
  fill(right_room);
  turn(6);
  turn(9);
  x.load();
}

int main() {
  std::thread first(left), second(right);
  first.join();
  second.join();
}
