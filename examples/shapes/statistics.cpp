// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Statistics that are copied field by field: each counter is atomic, the pair is not. The copy has
// the requests from before and the bytes from after.
//
// expect: snapshot (with count), read skew on statistics.requests and statistics.bytes
#include <pthread.h>

#include <atomic>
#include <cstdio>
#include <thread>

#include <omnium/atomic.h>

#include "turns.h"

struct Statistics {
  std::atomic<long> requests{1};
  std::atomic<long> bytes{100};
};

Statistics statistics;

void count(long bytes) {
  OMNIUM_ATOMIC("count");
  statistics.requests.fetch_add(1);
  statistics.bytes.fetch_add(bytes);
}

double snapshot() {
  OMNIUM_ATOMIC("snapshot");
  const long requests = statistics.requests.load();
  turn(1);
  turn(4);
  const long bytes = statistics.bytes.load();
  return static_cast<double>(bytes) / static_cast<double>(requests);
}

int main() {
  std::thread monitor([] {
    pthread_setname_np(pthread_self(), "monitor");
    std::printf("bytes per request: %g, not 100\n", snapshot());
  });
  std::thread server([] {
    pthread_setname_np(pthread_self(), "server");
    turn(2);
    count(100);
    turn(3);
  });
  monitor.join();
  server.join();
}
