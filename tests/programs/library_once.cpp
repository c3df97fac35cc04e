// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The C++ library makes its first locale once, in whichever thread asks first. The flag of that is
// its own: who asks later does not depend on the other thread.
//
// expect: nothing
#include <locale>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

int main() {
  OMNIUM_ATOMIC("main");
  std::thread other([] {
    turn(1);
    const std::locale first;
    turn(2);
  });
  turn(3);
  const std::locale second;
  turn(4);
  other.join();
}
