// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Function-local statics that many threads reach at once, inside blocks.
//
// expect: nothing
#include <pthread.h>

#include <thread>
#include <vector>

#include <omnium/atomic.h>

constexpr int kThreads = 8;

struct Table {
  Table() {
    for (int i = 0; i < 100; ++i) cells[i] = i;
  }
  int cells[100];
};

pthread_barrier_t barrier;

template <int Number>
int look_up(int at) {
  OMNIUM_ATOMIC("look_up");
  static Table table;
  return table.cells[at] + Number;
}

int main() {
  pthread_barrier_init(&barrier, nullptr, kThreads);
  std::vector<std::thread> threads;
  std::vector<int> sums(kThreads);
  for (int& sum : sums) {
    threads.emplace_back([&sum] {
      pthread_barrier_wait(&barrier);
      sum = look_up<0>(1) + look_up<1>(2) + look_up<2>(3) + look_up<3>(4) + look_up<4>(5);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int sum : sums) {
    if (sum != 25) return 1;
  }
}
