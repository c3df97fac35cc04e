// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What every kernel has: `KERNEL [THREADS [SIZE]]`, threads that are started and joined, and a
// checksum that is the same in every interleaving.
#pragma once

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include <omnium/atomic.h>

struct Arguments {
  int threads;
  long size;
};

inline Arguments arguments(int count, char** values, long default_size) {
  Arguments parsed{2, default_size};
  if (count > 1) parsed.threads = std::atoi(values[1]);
  if (count > 2) parsed.size = std::atol(values[2]);
  if (parsed.threads >= 1 && parsed.size >= 1) return parsed;
  std::fprintf(stderr, "usage: %s [THREADS [SIZE]]\n", values[0]);
  std::exit(2);
}

// work(0), ..., work(threads - 1), each in a thread.
template <class Work>
void run_threads(int threads, Work work) {
  std::vector<std::thread> running;
  for (int thread = 0; thread < threads; ++thread) running.emplace_back(work, thread);
  for (std::thread& thread : running) thread.join();
}

// xorshift64*
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15 + 1) {}
  std::uint64_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545f4914f6cdd1d;
  }
  std::uint64_t below(std::uint64_t limit) { return (next() >> 16) % limit; }

 private:
  std::uint64_t state_;
};

inline std::uint64_t mix(std::uint64_t sum, std::uint64_t value) {
  return (sum ^ value) * 0x100000001b3;
}

inline int print_checksum(std::uint64_t sum) {
  std::printf("checksum %016" PRIx64 "\n", sum);
  return 0;
}
