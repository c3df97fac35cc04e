// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The recorder's shadow of eight bytes of the program: who wrote them last, who read them since,
// and at which clock (docs/runtime/recording.md).
//
//      63..28  27..18  17      16    15..8  7..0
//      clock   slot    locked  flag  own    now
//
// `own`: the bytes whose last write (or whose reads since) are by this thread; `now`: those of them
// at this very clock. The flag of `written`: there may be bytes outside of `own` with a writer that
// this thread does not know of. The flag of `read`: others have read as well. A `read` word with
// the slot kShared is a set instead: bits 0..8 the threads that read the lower half at this clock,
// bits 9..17 the upper half. The lock bit is that of `written`, it guards both words; in a `read`
// word it says that it is one. Where all bytes were written and nobody has read, `read` is a copy
// of `written`: code that is compiled into programs compares both with one word (quick.h).
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
inline constexpr std::uint32_t kShared = 1023;  // no thread has this slot
inline constexpr std::uint32_t kSlots = kShared;
inline constexpr std::uint32_t kSharers = 9;  // threads that fit into a set
inline constexpr std::uint64_t kMaxClock = (std::uint64_t{1} << 35) - 1;  // the top bit is zero
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

// The bits of a set for the thread in `slot`: with kTouched of every half that `bytes` lie in, with
// kCovered of the halves that they fill.
enum class Halves { kTouched, kCovered };
template <Halves kWhich>
constexpr Word set_bits(std::uint32_t slot, unsigned bytes) {
  const unsigned lower = bytes & 15, upper = bytes >> 4;
  const bool touched = kWhich == Halves::kTouched;
  return (Word{touched ? lower != 0 : lower == 15} | Word{touched ? upper != 0 : upper == 15} << 9)
         << slot;
}

// The shadow of the online checker where that does nothing. Else one of its own: above the other,
// below programs (0x55...) and libraries (0x7f...).
inline constexpr std::uintptr_t kOwnShadowBase = 0x300000000000;
inline constexpr std::size_t kShadowBytes = 2 * (kFolded + 1);
extern std::uintptr_t shadow_base;

inline Cell& cell_at(std::uintptr_t address) {
  return *reinterpret_cast<Cell*>(shadow_base + ((address & kFolded) >> 3 << 4));
}

// Takes the lock bit; returns what the word was.
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
