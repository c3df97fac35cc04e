// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// statistics.cpp mended with phases: the snapshot is taken when the threads that count have been
// joined, and the next ones are started after it.
//
// expect: nothing
#include <mutex>
#include <thread>
#include <vector>

#include <omnium/atomic.h>

struct Statistics {
  std::mutex mutex;
  long requests = 0;
  long bytes = 0;
};

Statistics statistics;

void count(long bytes) {
  OMNIUM_ATOMIC("count");
  std::lock_guard lock(statistics.mutex);
  statistics.requests += 1;
  statistics.bytes += bytes;
}

bool snapshot() {
  OMNIUM_ATOMIC("snapshot");
  const long requests = statistics.requests;
  const long bytes = statistics.bytes;
  return bytes == 100 * requests;
}

int main() {
  bool whole = true;
  for (int phase = 0; phase < 10; ++phase) {
    std::vector<std::thread> servers;
    for (int i = 0; i < 3; ++i) {
      servers.emplace_back([] {
        for (int request = 0; request < 10; ++request) count(100);
      });
    }
    for (std::thread& server : servers) server.join();
    whole &= snapshot();
  }
  return whole ? 0 : 1;
}
