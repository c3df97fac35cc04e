// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/schedule/noise.h"

#include "runtime/schedule/chance.h"
#include "runtime/schedule/naps.h"
#include "runtime/schedule/runners.h"
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

// What happens once must not be lost beside what loops.
constinit Visits visits;

struct ThreadNoise {
  std::uint32_t number = ~0u;  // of the thread that it is about
  std::uint64_t delayed = 0;   // nanoseconds
  std::uint64_t begin = 0;
  Dice dice{0};
};
thread_local ThreadNoise tls_noise __attribute__((tls_model("initial-exec")));

ThreadNoise& noise_of(const ThreadState& thread) {
  ThreadNoise& noise = tls_noise;
  if (noise.number != thread.number) {
    noise = {thread.number, 0, rest_clock(),
             Dice(temper.seed * 0x9E3779B97F4A7C15u + thread.number)};
  }
  return noise;
}

// One of how many visits is delayed, on average.
std::uint32_t rarity_at(const ThreadState& thread, const Point& point) {
  if (point.kind == PointKind::kStart) return temper.at_start;
  const std::uint32_t rarity = temper.rarity * (1 + visits.count(point.pc) / 2);
  if (point.kind == PointKind::kAcquire) return rarity;
  const bool in_block = thread.depth.load(std::memory_order_relaxed) > 0;
  return rarity * temper.at_accesses * (in_block ? 1 : temper.outside_blocks);
}

// A thread may lose half of its time, and some at the start.
bool may_delay(const ThreadNoise& noise) {
  return noise.delayed < temper.budget + (rest_clock() - noise.begin) / 2;
}

}  // namespace

bool prepare_noise(const char* seed) {
  if (seed[0] == '\0') return false;
  const std::uint64_t number = seed_of("perturb must be a number, got", seed);
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
  noise.delayed += nap_for(micros);
}

}  // namespace omnium::runtime
