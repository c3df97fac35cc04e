// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// statistics.cpp mended: each thread counts for itself, under a lock that only a snapshot asks for.
// The snapshot looks at one thread after the other; each pair is whole.
//
// expect: nothing
#include <mutex>
#include <thread>
#include <vector>

#include <omnium/atomic.h>

struct alignas(64) Statistics {
  std::mutex mutex;
  long requests = 0;
  long bytes = 0;
};

Statistics statistics[4];

void count(Statistics& mine, long bytes) {
  OMNIUM_ATOMIC("count");
  std::lock_guard lock(mine.mutex);
  mine.requests += 1;
  mine.bytes += bytes;
}

bool is_whole(Statistics& one) {
  OMNIUM_ATOMIC("is_whole");
  std::lock_guard lock(one.mutex);
  return one.bytes == 100 * one.requests;
}

int main() {
  std::vector<std::thread> servers;
  for (Statistics& mine : statistics) {
    servers.emplace_back([&mine] {
      for (int i = 0; i < 50; ++i) count(mine, 100);
    });
  }
  bool whole = true;
  for (int i = 0; i < 20; ++i) {
    for (Statistics& one : statistics) whole &= is_whole(one);
  }
  for (std::thread& server : servers) server.join();
  return whole ? 0 : 1;
}
