// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Accesses that overlap in one byte conflict, also across words, unaligned, and in the middle of a
// long copy.
//
// expect: unaligned (with byte), dirty write on frame[9]
// expect: copy (with fill), unrepeatable read on source[40]
#include <cstring>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

alignas(8) char frame[16];
alignas(8) char source[100];
char target[100];

struct __attribute__((packed)) Unaligned {
  volatile int value;
};

void unaligned() {
  OMNIUM_ATOMIC("unaligned");
  auto* at = reinterpret_cast<Unaligned*>(frame + 6);  // bytes 6 to 9
  at->value = 1;
  turn(1);
  turn(4);
  at->value = 2;
}

void copy() {
  OMNIUM_ATOMIC("copy");
  std::memcpy(target, source, sizeof target);
  turn(5);
  turn(8);
  std::memcpy(target, source, sizeof target);
}

int main() {
  std::thread first([] {
    unaligned();
    copy();
  });
  std::thread second([] {
    turn(2);
    {
      OMNIUM_ATOMIC("byte");
      *static_cast<volatile char*>(frame + 9) = 7;
    }
    turn(3);
    turn(6);
    {
      OMNIUM_ATOMIC("fill");
      std::memset(source + 40, 1, 3);
    }
    turn(7);
  });
  first.join();
  second.join();
  return target[42] == 1 ? 0 : 1;
}
