// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Programs that grow in one direction (bench/scale.py). The work is the same whatever the first
// number is, except for the memory that is touched.
//
//   scale threads THREADS OPERATIONS     blocks under 4096 locks, dealt out to the threads
//   scale memory MEGABYTES THREADS       every word is written and read once, 512 in a block
//   scale block ACCESSES TOTAL           blocks of so many accesses, of two threads, TOTAL accesses
//   scale locks LOCKS OPERATIONS         four threads that take one of so many locks
//
// expect: nothing
// arguments: threads 3 2000
// predict: nothing
#include <cstring>
#include <memory>
#include <mutex>
#include <numeric>

#include "kernel.h"

namespace {

struct Account {
  std::mutex mutex;
  std::uint64_t value = 0;
};

// Operations of all threads under locks.
int use_locks(int threads, std::size_t locks, long operations) {
  const auto accounts = std::make_unique<Account[]>(locks);
  run_threads(threads, [&](int thread) {
    Random random(static_cast<std::uint64_t>(thread) + 1);
    for (long i = thread; i < operations; i += threads) {
      OMNIUM_ATOMIC("operation");
      Account& account = accounts[random.below(locks)];
      const std::lock_guard guard(account.mutex);
      account.value += 1;
    }
  });
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < locks; ++i) sum += accounts[i].value;
  return print_checksum(sum);
}

int touch_memory(std::size_t megabytes, int threads) {
  constexpr std::size_t kBlock = 512;
  const std::size_t words = megabytes * 1'000'000 / sizeof(std::uint64_t) / kBlock * kBlock;
  const std::unique_ptr<std::uint64_t[]> memory(new std::uint64_t[words]);
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(threads));
  run_threads(threads, [&](int thread) {
    std::uint64_t sum = 0;
    const auto step = static_cast<std::size_t>(threads) * kBlock;
    for (std::size_t at = static_cast<std::size_t>(thread) * kBlock; at < words; at += step) {
      OMNIUM_ATOMIC("fill");
      for (std::size_t i = at; i < at + kBlock; ++i) memory[i] = i;
      for (std::size_t i = at; i < at + kBlock; ++i) sum += memory[i];
    }
    sums[static_cast<std::size_t>(thread)] = sum;
  });
  return print_checksum(std::accumulate(sums.begin(), sums.end(), std::uint64_t{0}));
}

int run_blocks(long accesses, long total) {
  constexpr int kThreads = 2;
  const auto words = static_cast<std::size_t>(accesses);
  std::vector<std::uint64_t> sums(kThreads);
  run_threads(kThreads, [&](int thread) {
    std::vector<std::uint64_t> mine(words);
    std::uint64_t* const own = mine.data();
    for (long done = 0; done < total / kThreads; done += accesses) {
      OMNIUM_ATOMIC("block");
      for (std::size_t i = 0; i < words; ++i) own[i] = i + static_cast<std::uint64_t>(done);
    }
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < words; ++i) sum += own[i];
    sums[static_cast<std::size_t>(thread)] = sum;
  });
  return print_checksum(sums[0] + sums[1]);
}

}  // namespace

int main(int count, char** values) {
  const long first = count > 2 ? std::atol(values[2]) : 0;
  const long second = count > 3 ? std::atol(values[3]) : 0;
  if (count == 4 && first > 0 && second > 0) {
    if (std::strcmp(values[1], "threads") == 0) {
      return use_locks(static_cast<int>(first), 4096, second);
    }
    if (std::strcmp(values[1], "memory") == 0) {
      return touch_memory(static_cast<std::size_t>(first), static_cast<int>(second));
    }
    if (std::strcmp(values[1], "block") == 0) return run_blocks(first, second);
    if (std::strcmp(values[1], "locks") == 0) {
      return use_locks(4, static_cast<std::size_t>(first), second);
    }
  }
  std::fprintf(stderr, "usage: %s threads|memory|block|locks NUMBER NUMBER\n", values[0]);
  return 2;
}
