// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Nothing was found: the exit status is the program's own. Other threads still run when it ends.
//
// expect: nothing
// status: 7
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

std::mutex mutex;
long value = 0;

int main() {
  for (int i = 0; i < 4; ++i) {
    std::thread([] {
      for (;;) {
        OMNIUM_ATOMIC("add");
        std::lock_guard lock(mutex);
        value += 1;
      }
    }).detach();
  }
  for (int i = 0; i < 1000; ++i) {
    OMNIUM_ATOMIC("look");
    std::lock_guard lock(mutex);
    if (value > 1000) break;
  }
  return 7;
}
