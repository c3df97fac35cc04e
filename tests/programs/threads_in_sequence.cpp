// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// 200 threads, created and joined one after the other, then a violation: what is kept for a thread
// is used again and still right.
//
// expect: slow_add (with add), lost update on counter.value
#include <thread>

#include "lost_update.h"

int main() {
  for (int i = 0; i < 200; ++i) {
    std::thread thread([] { add(); });
    add();
    thread.join();
  }
  lose_update();
  return counter.value == 401 ? 0 : 1;
}
