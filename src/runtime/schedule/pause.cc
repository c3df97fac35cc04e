// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/schedule/pause.h"

#include <atomic>

#include "runtime/schedule/chance.h"
#include "runtime/schedule/movers.h"
#include "runtime/schedule/naps.h"
#include "runtime/schedule/target.h"

namespace omnium::runtime {

namespace {

// Seed 0 is the paper's way: 100 ms at each suspicious operation. Others pause shorter, and not at
// every place.
struct Manner {
  bool on = false;
  std::uint64_t seed = 0;
  std::uint32_t micros = 100'000;
  std::uint32_t rarity = 1;  // one of how many places is paused at
};
Manner manner;

constexpr std::uint32_t kPausesPerPlace = 4;
// What all threads together may lose, in nanoseconds: a test that takes long is no better.
constexpr std::uint64_t kBudget = 3'000'000'000;
std::atomic<std::uint64_t> spent{0};
constinit Visits visits;

bool is_chosen(Pc pc) {
  return manner.rarity == 1 || Dice(manner.seed ^ pc).below(manner.rarity) == 0;
}

}  // namespace

bool prepare_pauses(const char* seed) {
  if (seed[0] == '\0') return false;
  manner.on = true;
  manner.seed = seed_of("pause must be a number, got", seed);
  if (options.unprotected[0] != '\0') {
    const char* const wrong = read_places(options.unprotected, know_unprotected);
    if (wrong != nullptr) refuse_value("unprotected: the file", wrong);
  }
  if (manner.seed != 0) {
    Dice dice(manner.seed);
    manner.micros >>= 2 * dice.below(3);
    manner.rarity = 1u << dice.below(3);
  }
  return true;
}

void pause_where_suspicious(const ThreadState& thread, const Point& point) {
  if (!manner.on || !breaks_reduction(thread, point)) return;
  if (thread_count() < 2 || !is_chosen(point.pc) || visits.count(point.pc) >= kPausesPerPlace ||
      spent.load(std::memory_order_relaxed) > kBudget) {
    return;
  }
  spent.fetch_add(nap_for(manner.micros), std::memory_order_relaxed);
}

void pauses_note_taken(std::uintptr_t lock) {
  if (manner.on) reduction_takes(lock);
}

void pauses_note_given_back(std::uintptr_t lock) {
  if (manner.on) reduction_gives_back(lock);
}

void pauses_note_block() {
  if (manner.on) reduction_begins();
}

}  // namespace omnium::runtime
