// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The recorder's cell, the shadow of eight bytes of the program in two words: which thread wrote
// them last, which threads read them since, and at which clocks (docs/runtime/recording.md).
//
//      63..28  27..18  17      16    15..8  7..0
//      clock   slot    locked  flag  own    now
//
// `own` are the bytes that the thread in the slot wrote last (in a `read` word: that it has read
// since), and `now` those that it accessed at exactly this clock. The flag of `written` says that
// bytes outside of `own` may have a writer that this thread does not know of. The flag of `read`
// says that other threads have read as well.
//
// A `read` word with the slot kSharedSlot is a set of readers instead: bits 0..8 are the threads
// that read the lower four bytes at this clock, bits 9..17 those that read the upper four.
//
// The lock bit of `written` protects both words. In a `read` word of one thread the same bit is
// always set, so that it never equals a `written` word. If all bytes were written and none has been
// read since, `read` is a copy of `written`: the fast path that is inlined into programs compares
// both with one word (state/quick.h).
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/shadow/map.h"
#include "runtime/system/spin_lock.h"

namespace omnium::runtime::record {

struct Cell {
  std::atomic<std::uint64_t> written;
  std::atomic<std::uint64_t> read;
};
static_assert(sizeof(Cell) == 16);

using Word = std::uint64_t;

inline constexpr unsigned kSlotShift = 18;
inline constexpr unsigned kClockShift = 28;
inline constexpr std::uint32_t kSharedSlot = 1023;  // no thread has this slot
inline constexpr std::uint32_t kLogSlots = kSharedSlot;
inline constexpr std::uint32_t kSharers = 9;  // threads that fit into a set
inline constexpr std::uint64_t kMaxClock = (std::uint64_t{1} << 35) - 1;  // a top bit stays zero
inline constexpr Word kLocked = Word{1} << 17;
inline constexpr Word kReader = kLocked;
inline constexpr Word kFlag = Word{1} << 16;
inline constexpr unsigned kAllBytes = 255;
inline constexpr Word kAllNow = kAllBytes << 8 | kAllBytes;

constexpr std::uint64_t clock_of(Word word) { return word >> kClockShift; }
constexpr std::uint32_t slot_of(Word word) { return word >> kSlotShift & 1023; }
constexpr unsigned own_of(Word word) { return word >> 8 & 255; }
constexpr unsigned now_of(Word word) { return word & 255; }
constexpr Word identity_of(std::uint32_t slot, std::uint64_t clock) {
  return clock << kClockShift | Word{slot} << kSlotShift;
}
constexpr Word make_word(Word identity, bool flag, unsigned own, unsigned now) {
  return identity | (flag ? kFlag : 0) | own << 8 | now;
}

// Are they of the same thread and the same clock?
constexpr bool is_same_period(Word a, Word b) { return (a ^ b) >> kSlotShift == 0; }
// The word without what it says of these bytes.
constexpr Word without_bytes(Word word, unsigned bytes) {
  return word & ~Word{bytes} & ~(Word{bytes} << 8);
}

// The bits of a set for the thread in `slot`: those of every half that contains one of the bytes
// (kTouched), or those of the halves that the bytes fill (kCovered).
enum class Halves { kTouched, kCovered };
template <Halves kWhich>
constexpr Word set_bits(std::uint32_t slot, unsigned bytes) {
  const unsigned lower = bytes & 15, upper = bytes >> 4;
  const bool touched = kWhich == Halves::kTouched;
  return (Word{touched ? lower != 0 : lower == 15} | Word{touched ? upper != 0 : upper == 15} << 9)
         << slot;
}

// If the program is only recorded, the cells are in the shadow of the checker, which does not use
// it. Otherwise they have a shadow of their own, above that one and below programs (0x55...) and
// libraries (0x7f...).
inline constexpr std::uintptr_t kOwnShadowBase = 0x300000000000;
inline constexpr std::size_t kShadowBytes = 2 * (kFolded + 1);
extern std::uintptr_t shadow_base;

inline Cell& cell_at(std::uintptr_t address) {
  return *reinterpret_cast<Cell*>(shadow_base + ((address & kFolded) >> 3 << 4));
}

// Sets the lock bit. Returns the word without it.
inline Word lock(Cell& cell) {
  Backoff backoff;
  Word word = cell.written.load(std::memory_order_relaxed);
  while ((word & kLocked) != 0 ||
         !cell.written.compare_exchange_weak(word, word | kLocked, std::memory_order_acquire,
                                             std::memory_order_relaxed)) {
    if ((word & kLocked) == 0) continue;
    backoff.pause();
    word = cell.written.load(std::memory_order_relaxed);
  }
  return word;
}

}  // namespace omnium::runtime::record
