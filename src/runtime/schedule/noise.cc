// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/schedule/noise.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

#include "runtime/schedule/dice.h"
#include "runtime/system/options.h"

namespace omnium::runtime {

namespace {

// Each run has a temper: few long delays find other bugs than many short ones.
struct Temper {
  bool on = false;
  std::uint64_t seed = 0;
  std::uint32_t rarity = 1;                 // greater: fewer delays
  std::uint32_t shortest = 4, longest = 8;  // microseconds, as powers of two
  std::uint32_t at_start = 1;               // one of how many threads starts late
  std::uint64_t budget = 100'000'000;       // nanoseconds that a thread may lose at once
  std::uint32_t at_accesses = 1;            // how much rarer they are at accesses
  std::uint32_t outside_blocks = 4;         // and how much rarer still outside of blocks
};
Temper temper;

// How often each place was visited, so that what happens once is not lost beside what loops. Places
// may share a counter.
constexpr std::size_t kCounters = 1 << 12;
std::atomic<std::uint16_t> visits[kCounters];

std::uint32_t count_visit(Pc pc) {
  auto& counter = visits[(pc * 0x9E3779B97F4A7C15u) >> 52];
  const std::uint16_t count = counter.load(std::memory_order_relaxed);
  if (count < 0xffff)
    counter.store(static_cast<std::uint16_t>(count + 1), std::memory_order_relaxed);
  return count;
}

struct ThreadNoise {
  std::uint32_t number = ~0u;  // of the thread that it is about
  std::uint64_t delayed = 0;   // nanoseconds
  std::uint64_t begin = 0;
  Dice dice{0};
};
thread_local ThreadNoise tls_noise __attribute__((tls_model("initial-exec")));

std::uint64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(time.tv_nsec);
}

ThreadNoise& noise_of(const ThreadState& thread) {
  ThreadNoise& noise = tls_noise;
  if (noise.number != thread.number) {
    noise = {thread.number, 0, now(), Dice(temper.seed * 0x9E3779B97F4A7C15u + thread.number)};
  }
  return noise;
}

// One of how many visits is delayed, on average.
std::uint32_t rarity_at(const ThreadState& thread, const Point& point) {
  if (point.kind == PointKind::kStart) return temper.at_start;
  const std::uint32_t rarity = temper.rarity * (1 + count_visit(point.pc) / 2);
  if (point.kind == PointKind::kAcquire) return rarity;
  const bool in_block = thread.depth.load(std::memory_order_relaxed) > 0;
  return rarity * temper.at_accesses * (in_block ? 1 : temper.outside_blocks);
}

// A thread may lose half of its time, and some at the start.
bool may_delay(const ThreadNoise& noise) {
  return noise.delayed < temper.budget + (now() - noise.begin) / 2;
}

}  // namespace

bool prepare_noise(const char* seed) {
  if (seed[0] == '\0') return false;
  std::uint64_t number = 0;
  for (const char* digit = seed; *digit != '\0'; ++digit) {
    if (*digit < '0' || *digit > '9') refuse_value("perturb must be a number, got", seed);
    number = number * 10 + static_cast<std::uint64_t>(*digit - '0');
  }
  Dice dice(number);
  temper.on = true;
  temper.seed = number;
  temper.rarity = 1 + dice.below(4);
  temper.longest = 8 + dice.below(6);
  temper.at_start = 2u << 2 * dice.below(3);
  // One run of 16: few delays, but so long that time limits of the program pass.
  if (dice.below(16) == 0) {
    temper.shortest = 14;
    temper.longest = 19;
    temper.rarity = 4 + dice.below(8);
    temper.at_start = 2;
    temper.outside_blocks = temper.at_accesses = 1;
    temper.budget = 500'000'000;
  }
  temper.at_accesses = 1u << 2 * dice.below(3);
  return true;
}

void make_noise(ThreadState& thread, const Point& point) {
  if (!temper.on || thread_count() < 2) return;
  ThreadNoise& noise = noise_of(thread);
  if (noise.dice.below(rarity_at(thread, point)) != 0 || !may_delay(noise)) return;
  const std::uint32_t power = temper.shortest + noise.dice.below(temper.longest - temper.shortest);
  const std::uint32_t micros = (1u << power) + noise.dice.below(1u << power);
  const timespec time{0, static_cast<long>(micros) * 1000};
  const std::uint64_t before = now();
  syscall(SYS_nanosleep, &time, nullptr);  // the C library's function can be cancelled
  noise.delayed += now() - before;
}

}  // namespace omnium::runtime
