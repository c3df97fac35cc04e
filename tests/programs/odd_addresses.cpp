// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Words that are read and written at odd addresses, and whose bytes have different histories: what
// a block reads twice matters, and the bytes beside it do not.
//
// expect: look_twice (with put), read skew on buffer[8] and buffer[9]
#include <cstdint>
#include <cstring>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::mutex mutex;
alignas(64) unsigned char buffer[64];

template <typename Value>
__attribute__((noinline)) Value read_at(int place) {
  std::lock_guard lock(mutex);
  Value value;
  std::memcpy(&value, buffer + place, sizeof(value));
  return value;
}

template <typename Value>
__attribute__((noinline)) void write_at(int place, Value value) {
  std::lock_guard lock(mutex);
  std::memcpy(buffer + place, &value, sizeof(value));
}

// The block inside reads some of the bytes of the same words earlier, and the ones behind.
void look(int place) {
  {
    OMNIUM_ATOMIC("inside");
    read_at<std::uint16_t>(place + 1);
    read_at<std::uint16_t>(place + 8);
  }
  read_at<std::uint64_t>(place);
}

void look_twice() {
  OMNIUM_ATOMIC("look_twice");
  look(1);
  turn(1);
  turn(4);
  look(1);
}

void look_beside() {
  OMNIUM_ATOMIC("look_beside");
  look(33);
  turn(5);
  turn(8);
  look(33);
}

void put() {
  OMNIUM_ATOMIC("put");
  write_at<std::uint16_t>(8, 1);
}

void put_beside() {
  OMNIUM_ATOMIC("put_beside");
  write_at<std::uint8_t>(32, 1);
  write_at<std::uint8_t>(43, 1);
}

int main() {
  std::thread first([] {
    look_twice();
    look_beside();
  });
  std::thread second([] {
    turn(2);
    put();
    turn(3);
    turn(6);
    put_beside();
    turn(7);
  });
  first.join();
  second.join();
}
