// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A thread's log: its logical clock, what it knows of others' clocks, and the block of the raw log
// that it is filling.
#pragma once

#include <cstdint>

#include "live/raw_log.h"
#include "runtime/record/cell.h"

namespace omnium::runtime::record {

struct ThreadLog {
  Word identity;         // slot and clock as in cells: what every access looks at
  Word shared_identity;  // the same for sets of readers; matches nothing if the thread fits in none
  std::uint64_t clock;
  std::uint64_t first_clock;  // no event of the thread has a lower one
  std::uint64_t first_known;  // the first clock of those before it in this slot that it follows
  live::RawBlock* block;
  std::uint32_t count;         // of records in it
  std::uint32_t slot;          // unique among the threads that live
  std::uint64_t logged_clock;  // of the last record
  std::uint32_t number;
  std::uint32_t depth;          // of open blocks
  std::uint64_t known[kSlots];  // by slot: the thread's events up to this clock are before ours
};

// Events from here on have this clock.
inline void set_clock(ThreadLog& log, std::uint64_t clock) {
  log.clock = clock;
  log.identity = identity_of(log.slot, clock);
  log.shared_identity = log.slot < kSharers ? identity_of(kShared, clock) : ~Word{0};
}

// A new period: what was recorded before does not make later accesses redundant.
inline void advance(ThreadLog& log) { set_clock(log, log.clock + 1); }

// The raw log is full or cannot be written; null where there is none.
extern live::RawHeader* header;

[[gnu::cold]] void stopped(ThreadLog& log);
[[gnu::noinline]] void seal(ThreadLog& log);  // the block is full: on to the next one
[[gnu::noinline]] void append_clock(ThreadLog& log, std::uint64_t clock);

inline void append_record(ThreadLog& log, live::RawRecord record) {
  log.block->records()[log.count] = record;
  // After a kill the count says what is whole.
  log.block->count.store(++log.count, std::memory_order_release);
  if (log.count == live::kRawRecordsPerBlock) [[unlikely]]
    seal(log);
}

inline void append(ThreadLog& log, live::RawKind kind, std::uint64_t object, std::uint32_t size,
                   std::uint64_t place, std::uint64_t clock) {
  if (header->stop_clock.load(std::memory_order_relaxed) != 0) [[unlikely]]
    return stopped(log);
  if (clock - log.logged_clock > 0xffff) [[unlikely]]
    append_clock(log, clock);
  const std::uint64_t step = clock - log.logged_clock;
  log.logged_clock = clock;
  append_record(log, {object << 16 | std::uint64_t{size} << 6 | static_cast<std::uint64_t>(kind),
                      step << 48 | (place & live::kRawPlaceMask)});
}

inline void append(ThreadLog& log, live::RawKind kind, std::uint64_t object, std::uint64_t place) {
  append(log, kind, object, 0, place, log.clock);
}

// `value` belongs to the record that is appended next.
void append_operand(ThreadLog& log, std::uint64_t value);
// A record with text, cut to what fits.
void append_text(ThreadLog& log, live::RawKind kind, std::uint64_t object, const void* text,
                 std::size_t size);

// The highest clock of any thread.
std::uint64_t highest_clock();

// Events of the slot from this clock on are of its thread, or all of them before its first.
std::uint64_t first_known_clock(std::uint32_t slot);

}  // namespace omnium::runtime::record
