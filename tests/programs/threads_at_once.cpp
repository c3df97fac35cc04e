// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// 500 threads that are all alive at the same time.
//
// expect: nothing
#include <pthread.h>

#include <mutex>
#include <thread>
#include <vector>

#include <omnium/atomic.h>

constexpr int kThreads = 500;

std::mutex mutex;
int counter = 0;
pthread_barrier_t barrier;

void work() {
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < 20; ++i) {
    OMNIUM_ATOMIC("add");
    std::lock_guard lock(mutex);
    counter += 1;
  }
  pthread_barrier_wait(&barrier);
}

int main() {
  pthread_barrier_init(&barrier, nullptr, kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  return counter == 20 * kThreads ? 0 : 1;
}
