// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What a block wrote goes through the hands of 120 threads before the block sees it again.
//
// expect: sender (with pass), cycle of 121 transactions on x[0], x[1], x[2], x[3] and 117 more
#include <atomic>
#include <thread>
#include <vector>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

constexpr int kThreads = 120;
std::atomic<int> x[kThreads + 1];

void pass_on(int i) {
  turn(2 * i + 2);
  {
    OMNIUM_ATOMIC("pass");
    x[i + 1].store(x[i].load());
  }
  turn(2 * i + 3);
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(pass_on, i);
  {
    OMNIUM_ATOMIC("sender");
    x[0].store(1);
    turn(1);
    turn(2 * kThreads + 2);
    x[kThreads].load();
  }
  for (std::thread& thread : threads) thread.join();
}
