// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Atomics of all sizes and operations: each is one access, so blocks of one operation never
// violate, and the results are right.
//
// expect: nothing
// predict: nothing certain
// flags: -mcx16 -latomic
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

constexpr int kThreads = 4;
constexpr int kRounds = 64;

template <class Integer>
struct Cells {
  std::atomic<Integer> sum{0}, difference{0}, bits{0}, flips{0}, mask{static_cast<Integer>(-1)};
  std::atomic<Integer> largest{0}, exchanged{0};

  void work(int thread) {
    for (int i = 0; i < kRounds; ++i) {
      const auto one = static_cast<Integer>(1);
      one_block([&] { sum.fetch_add(one, std::memory_order_relaxed); });
      one_block([&] { difference.fetch_sub(one, std::memory_order_acq_rel); });
      one_block([&] { bits.fetch_or(static_cast<Integer>(one << thread)); });
      one_block([&] { flips.fetch_xor(one, std::memory_order_release); });
      one_block([&] { mask.fetch_and(static_cast<Integer>(~(one << thread))); });
      one_block([&] { exchanged.exchange(static_cast<Integer>(thread)); });
      std::atomic_thread_fence(std::memory_order_seq_cst);
      Integer seen = largest.load(std::memory_order_acquire);
      while (seen < static_cast<Integer>(i) &&
             !largest.compare_exchange_weak(seen, static_cast<Integer>(i))) {
      }
    }
  }

  template <class Operation>
  static void one_block(Operation operation) {
    OMNIUM_ATOMIC("one operation");
    operation();
  }

  bool is_right() const {
    const auto total = static_cast<Integer>(kThreads * kRounds);
    return sum == total && difference == static_cast<Integer>(0 - total) && bits == 15 &&
           flips == 0 && mask == static_cast<Integer>(~15) && largest == kRounds - 1 &&
           exchanged < kThreads;
  }
};

Cells<std::uint8_t> bytes;
Cells<std::uint16_t> shorts;
Cells<std::uint32_t> words;
Cells<std::uint64_t> longs;
unsigned __int128 large = 0;
std::atomic_flag flag = ATOMIC_FLAG_INIT;
std::atomic<double> real{0};
std::atomic<bool> truth{false};

void add_large() {
  OMNIUM_ATOMIC("sixteen bytes");
  __atomic_fetch_add(&large, 1, __ATOMIC_SEQ_CST);
}

void look_at_large() {
  OMNIUM_ATOMIC("look at sixteen bytes");
  __atomic_load_n(&large, __ATOMIC_SEQ_CST);
}

void work(int thread) {
  bytes.work(thread);
  shorts.work(thread);
  words.work(thread);
  longs.work(thread);
  for (int i = 0; i < kRounds; ++i) {
    add_large();
    look_at_large();
  }
  truth.store(flag.test_and_set());
  real.fetch_add(0.5);
}

// A comparison that fails only reads, so that nothing comes between the two loads.
std::atomic<int> compared{1};

void load_twice() {
  OMNIUM_ATOMIC("load twice");
  compared.load();
  turn(1);
  turn(4);
  compared.load();
}

void compare_in_vain() {
  turn(2);
  int expected = 0;
  compared.compare_exchange_strong(expected, 2);
  turn(3);
}

int main() {
  std::thread loads(load_twice), compares(compare_in_vain);
  loads.join();
  compares.join();
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) threads.emplace_back(work, thread);
  for (std::thread& thread : threads) thread.join();
  const bool integers =
      bytes.is_right() && shorts.is_right() && words.is_right() && longs.is_right();
  return integers && large == kThreads * kRounds && real == 2.0 ? 0 : 1;
}
