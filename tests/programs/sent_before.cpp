// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The opposite of sent_over.cpp: what the other thread receives was sent earlier, or comes through
// another pipe. It could set the number at any moment.
//
// expect: nothing
// predict: certain
#include <unistd.h>

#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

long number = 0;

int main() {
  char byte = 0;
  int received[2], others[2];
  if (pipe(received) != 0 || pipe(others) != 0) return 1;
  if (write(received[1], &byte, 1) != 1) return 1;
  std::thread counter([&] {
    turn(1);
    {
      OMNIUM_ATOMIC("count");
      number += 1;
    }
    if (write(others[1], "x", 1) != 1) return;
    turn(2);
  });
  std::thread setter([&] {
    turn(3);
    char own;
    if (read(received[0], &own, 1) == 1) number = 7;
  });
  counter.join();
  setter.join();
}
