// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Five threads read the same words, one after the other, and a write comes between two reads of
// each: every one of them is remembered, also where many words have the same readers.
//
// expect: reader 1 (with writer), unrepeatable read on values[7]
// expect: reader 2 (with writer), unrepeatable read on values[7]
// expect: reader 3 (with writer), unrepeatable read on values[7]
// expect: reader 4 (with writer), unrepeatable read on values[7]
// expect: reader 5 (with writer), unrepeatable read on values[7]
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

volatile int values[8];

void read_twice(const char* name, int number) {
  OMNIUM_ATOMIC(name);
  turn(2 * number - 1);
  for (int i = 0; i < 8; ++i) (void)values[i];
  turn(2 * number);
  turn(number + 12);
  (void)values[7];
}

void write_between() {
  turn(11);
  {
    OMNIUM_ATOMIC("writer");
    values[7] = 1;
  }
  turn(12);
}

int main() {
  std::thread readers[] = {std::thread(read_twice, "reader 1", 1),
                           std::thread(read_twice, "reader 2", 2),
                           std::thread(read_twice, "reader 3", 3),
                           std::thread(read_twice, "reader 4", 4),
                           std::thread(read_twice, "reader 5", 5)};
  std::thread writer(write_between);
  for (std::thread& reader : readers) reader.join();
  writer.join();
}
