// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Who relies on a once flag comes after the run in every interleaving, even if it need not wait.
// Otherwise reader would come between the number and the flag.
//
// expect: nothing
// predict: nothing certain
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::mutex mutex;
int numbers = 0;
std::once_flag flags[2];
int values[2];

int get(int key) {
  OMNIUM_ATOMIC("get");
  std::call_once(flags[key], [&] {
    const std::lock_guard lock(mutex);
    values[key] = ++numbers;
  });
  return values[key];
}

int main() {
  std::thread writer([] {
    get(0);
    turn(1);
  });
  std::thread reader([] {
    turn(2);
    get(1);
    get(0);
  });
  writer.join();
  reader.join();
  return values[0] == 1 && values[1] == 2 ? 0 : 1;
}
