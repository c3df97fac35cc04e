// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// statistics.cpp mended with phases: all count, all wait at a barrier, one adds up, all wait again.
// Nobody counts while the copy is made, and so nothing needs a lock.
//
// expect: nothing
#include <pthread.h>

#include <thread>
#include <vector>

#include <omnium/atomic.h>

constexpr int kThreads = 3;

struct Statistics {
  long requests = 0;
  long bytes = 0;
};

Statistics statistics[kThreads];
pthread_barrier_t barrier;
bool whole = true;

void count(int thread, long bytes) {
  OMNIUM_ATOMIC("count");
  statistics[thread].requests += 1;
  statistics[thread].bytes += bytes;
}

void snapshot() {
  OMNIUM_ATOMIC("snapshot");
  Statistics sum;
  for (const Statistics& one : statistics) {
    sum.requests += one.requests;
    sum.bytes += one.bytes;
  }
  whole = whole && sum.bytes == 100 * sum.requests;
}

void serve(int thread) {
  for (int phase = 0; phase < 20; ++phase) {
    for (int i = 0; i < 5; ++i) count(thread, 100);
    pthread_barrier_wait(&barrier);
    if (phase % kThreads == thread) snapshot();
    pthread_barrier_wait(&barrier);
  }
}

int main() {
  pthread_barrier_init(&barrier, nullptr, kThreads);
  std::vector<std::thread> servers;
  for (int thread = 0; thread < kThreads; ++thread) servers.emplace_back(serve, thread);
  for (std::thread& server : servers) server.join();
  pthread_barrier_destroy(&barrier);
  return whole ? 0 : 1;
}
