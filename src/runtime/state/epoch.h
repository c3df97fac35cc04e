// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// An epoch is a moment of a thread in 26 bits: a slot, and a time in that slot. When the times of a
// slot are used up, its thread takes another slot. A slot is used again when no cell mentions it
// any more (online/scrub.h). Computations use the full 64-bit time of the thread, slot.base + time.
#pragma once

#include <atomic>
#include <cstdint>

namespace omnium::runtime {

struct ThreadState;

using Epoch = std::uint32_t;  // 0: none

inline constexpr std::uint32_t kTimeBits = 16, kSlotBits = 10;
inline constexpr std::uint32_t kTimes = 1u << kTimeBits;
inline constexpr std::uint32_t kSlots = 1u << kSlotBits;
inline constexpr std::uint32_t kNever = kTimes;  // later than every time of a slot
// The last time at which an event may start: it may need a few more times. Tests use a lower limit,
// so that slots are used up sooner.
#ifndef OMNIUM_TIMES_TO_START
#define OMNIUM_TIMES_TO_START (kTimes - 16)
#endif
inline constexpr std::uint32_t kTimesToStart = OMNIUM_TIMES_TO_START;
inline constexpr std::uint64_t kNotReached = ~std::uint64_t{0};

constexpr Epoch epoch_of(std::uint32_t slot, std::uint32_t time) {
  return slot << kTimeBits | time;
}
constexpr std::uint32_t slot_of(Epoch epoch) { return epoch >> kTimeBits; }
constexpr std::uint32_t time_of(Epoch epoch) { return epoch & (kTimes - 1); }

// An epoch is *live* if it is part of an open transaction or reached from one. Only live epochs can
// ever matter [docs/algorithms/reach.md, rule 1]. In each slot they are the epochs from a certain
// time on, which is the lower one of `own_from` and `reached_from`.
struct alignas(64) Slot {
  std::atomic<std::uint32_t> own_from;      // written by the owner
  std::atomic<std::uint32_t> reached_from;  // written under the lock of the reach engine
  std::atomic<ThreadState*> owner;
  std::uint64_t base;
  std::uint32_t older;  // the owner's slot before this one; 0: none
  bool retired;         // the owner has gone on to another slot, or has ended
};

extern Slot slots[kSlots];

inline bool is_live(Epoch epoch) {
  const Slot& slot = slots[slot_of(epoch)];
  const std::uint32_t time = time_of(epoch);
  return time >= slot.own_from.load(std::memory_order_acquire) ||
         time >= slot.reached_from.load(std::memory_order_acquire);
}

inline ThreadState* owner_of(Epoch epoch) {
  return slots[slot_of(epoch)].owner.load(std::memory_order_relaxed);
}

inline std::uint64_t full_time(Epoch epoch) { return slots[slot_of(epoch)].base + time_of(epoch); }

}  // namespace omnium::runtime
