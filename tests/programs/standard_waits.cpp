// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Blocks that wait for other threads with a barrier that has a completion function, and with
// semaphores (compare latch_inside.cpp). What comes before such a wait and what comes after it are
// two parts.
//
// options: --conflicts data --waits split
// expect: nothing
#include <barrier>
#include <semaphore>
#include <thread>
#include <vector>

#include <omnium/atomic.h>

constexpr int kRounds = 100;

int cells[2], sums[2], total = 0;
std::barrier full(2, []() noexcept { total = cells[0] + cells[1]; });
std::counting_semaphore<2> filled(0), emptied(1);
int slot = 0, taken = 0;
static_assert(sizeof filled == sizeof(int), "as in code that is compiled without Omnium");

// The thread that comes last runs the completion, in its own block.
void rounds(int me) {
  for (int i = 0; i < kRounds; ++i) {
    OMNIUM_ATOMIC("round");
    cells[me] += 1;
    auto token = full.arrive();
    full.wait(std::move(token));
    sums[me] += total;
    full.arrive_and_wait();
  }
}

void produce() {
  for (int i = 0; i < kRounds; ++i) {
    OMNIUM_ATOMIC("produce two");
    for (int k = 0; k < 2; ++k) {
      emptied.acquire();
      slot += 1;
      filled.release();
    }
  }
}

void consume() {
  for (int i = 0; i < 2 * kRounds; ++i) {
    OMNIUM_ATOMIC("consume");
    filled.acquire();
    taken += slot;
    emptied.release();
  }
}

int main() {
  std::vector<std::thread> threads;
  threads.emplace_back(rounds, 0);
  threads.emplace_back(rounds, 1);
  threads.emplace_back(produce);
  threads.emplace_back(consume);
  for (auto& thread : threads) thread.join();
  return total == 2 * kRounds && sums[0] == sums[1] && taken > 0 ? 0 : 1;
}
