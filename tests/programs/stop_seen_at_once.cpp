// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A thread that asks for a stop again and again may be told of it while the one who requests it is
// still at work. It has waited then as well: its block has two parts.
//
// options: --conflicts data --waits split
#include <mutex>
#include <stop_token>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::mutex mutex;
int value = 0;

int look() {
  std::lock_guard lock(mutex);
  return value;
}
void put(int to) {
  std::lock_guard lock(mutex);
  value = to;
}

constexpr int kRounds = 200;

void wait_for(const std::stop_source& stop, int round) {
  OMNIUM_ATOMIC("waits for a stop");
  const int seen = look();
  turn(2 * round + 1);
  while (!stop.stop_requested()) {
  }
  put(seen + 1);
}

int main() {
  for (int round = 0; round < kRounds; ++round) {
    std::stop_source stop;
    std::thread waiting(wait_for, std::ref(stop), round);
    std::thread stopping([&stop, round] {
      turn(2 * round + 2);
      put(10);
      stop.request_stop();
    });
    waiting.join();
    stopping.join();
  }
}
