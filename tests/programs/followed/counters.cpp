// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Counts under a lock as fast as it can: once, for ever, until its parent has ended, until it kills
// itself, or in a forked process as well. With "violate" a block is interrupted first, with "short"
// there are many threads first.
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <omnium/atomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lost_update.h"

namespace {

std::mutex mutex;
long table[1 << 12];

void count(int thread, long rounds) {
  for (long i = 0; i < rounds; ++i) {
    OMNIUM_ATOMIC("count");
    const std::lock_guard guard(mutex);
    for (int j = 0; j < 64; ++j) table[(i * 64 + j + thread) % (1 << 12)] += j;
  }
}

void count_by_two(long rounds) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) threads.emplace_back([=] { count(i, rounds); });
  for (std::thread& thread : threads) thread.join();
}

// One of two threads has done its work before the other begins, and ends right after it.
void count_in_short_threads(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    std::thread first([=] {
      count(0, 1);
      turn(4 * i + 1);
      turn(4 * i + 4);
    });
    turn(4 * i + 2);
    std::thread(count, 1, 1).join();
    turn(4 * i + 3);
    first.join();
  }
}

}  // namespace

int main(int, char** arguments) {
  const long rounds = std::atol(arguments[1]);
  const std::string how = arguments[2];
  const pid_t parent = getppid();
  if (how == "violate") lose_update();
  if (how == "short") count_in_short_threads(static_cast<int>(rounds));
  if (how == "fork" && fork() == 0) {
    lose_update();
    count_by_two(rounds);
    _exit(0);
  }
  do {
    count_by_two(rounds);
  } while (how == "endless" || (how == "orphan" && getppid() == parent));
  if (how == "die") raise(SIGKILL);
  if (how == "fork") wait(nullptr);
  return 7;
}
