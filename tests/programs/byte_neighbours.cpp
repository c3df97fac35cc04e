// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Neighbours in one word: threads that change different bytes of it, inside blocks and right
// between each other's accesses, have nothing to do with each other.
//
// expect: nothing
#include <cstring>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

struct alignas(8) Word {
  volatile char a, b;
  volatile short c;
  volatile int d;
};

struct alignas(8) Packed {
  char head[3];
  char middle[10];  // ends in the second word
  char tail[3];
} __attribute__((packed));

Word word;
Packed packed;

// Bytes of one word that two threads wrote: the first wrote one of them, and not the others.
struct alignas(4) Mixed {
  volatile char of_first, of_second[3];
} mixed;
volatile int handed_over;

void share_a_word() {
  std::thread first([] {
    OMNIUM_ATOMIC("first of two");
    mixed.of_first = 1;
    turn(9);
    turn(12);
    (void)handed_over;
  });
  std::thread second([] {
    turn(10);
    {
      OMNIUM_ATOMIC("second of two");
      mixed.of_second[1] = 1;
      mixed.of_second[0] = 1;
      handed_over = 1;
    }
    turn(11);
  });
  first.join();
  second.join();
}

int main() {
  std::thread first([] {
    OMNIUM_ATOMIC("first");
    word.a = 1;
    word.c = 1;
    std::memset(packed.middle, 1, sizeof packed.middle);
    turn(1);
    turn(4);
    word.a = static_cast<char>(word.a + 1);
    word.c = static_cast<short>(word.c + 1);
    std::memset(packed.middle, 2, sizeof packed.middle);
    turn(5);
    turn(8);
    word.a = 3;
  });
  std::thread second([] {
    OMNIUM_ATOMIC("second");
    turn(2);
    word.b = 1;
    word.d = 1;
    std::memset(packed.head, 1, sizeof packed.head);
    std::memset(packed.tail, 1, sizeof packed.tail);
    turn(3);
    turn(6);
    word.b = static_cast<char>(word.b + 1);
    word.d = word.d + 1;
    turn(7);
  });
  first.join();
  second.join();
  share_a_word();
  return word.a == 3 && word.b == 2 && packed.middle[9] == 2 && packed.tail[0] == 1 ? 0 : 1;
}
