// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A thread's log: its logical clock, what it knows of others' clocks, and the block of the raw log
// that it is filling.
#pragma once

#include <cstdint>

#include "live/raw_log.h"
#include "runtime/record/cell.h"

namespace omnium::runtime::record {

// The last access of an instruction, at the current clock with nothing but accesses behind it: the
// next one, if it begins where this ends, makes its record longer.
struct Run {
  std::uint64_t place, end;
  live::RawRecord* record;
  std::uint32_t epoch;
  live::RawKind kind;
};
inline constexpr std::size_t kRuns = 16;

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
  std::uint32_t run_epoch;      // runs of others are over
  Run runs[kRuns];              // by place
  std::uint64_t known[kSlots];  // by slot: the thread's events up to this clock are before ours
};

// Events from here on have this clock.
inline void set_clock(ThreadLog& log, std::uint64_t clock) {
  ++log.run_epoch;
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
[[gnu::noinline]] void append_clock(ThreadLog& log);

inline void append_record(ThreadLog& log, live::RawRecord record) {
  log.block->records()[log.count] = record;
  // After a kill the count says what is whole.
  log.block->count.store(++log.count, std::memory_order_release);
  if (log.count == live::kRawRecordsPerBlock) [[unlikely]]
    seal(log);
}

inline void append_sized(ThreadLog& log, live::RawKind kind, std::uint64_t object,
                         std::uint32_t size, std::uint64_t place) {
  if (header->stop_clock.load(std::memory_order_relaxed) != 0) [[unlikely]]
    return stopped(log);
  if (log.clock - log.logged_clock > 0xffff) [[unlikely]]
    append_clock(log);
  const std::uint64_t step = log.clock - log.logged_clock;
  log.logged_clock = log.clock;
  append_record(log, {object << 16 | std::uint64_t{size} << 6 | static_cast<std::uint64_t>(kind),
                      step << 48 | (place & live::kRawPlaceMask)});
}

inline void append(ThreadLog& log, live::RawKind kind, std::uint64_t object, std::uint64_t place) {
  ++log.run_epoch;
  append_sized(log, kind, object, 0, place);
}

inline void append_access(ThreadLog& log, live::RawKind kind, std::uint64_t address,
                          std::uint32_t size, std::uint64_t place) {
  Run& run = log.runs[place % kRuns];
  const std::uint32_t epoch = log.run_epoch;
  if (run.epoch == epoch && run.place == place && run.end == address && run.kind == kind &&
      live::size_of(*run.record) + size <= live::kRawMaxSize) {
    run.record->what += std::uint64_t{size} << 6;
    run.end += size;
    return;
  }
  append_sized(log, kind, address, size, place);
  run = {place, address + size, log.block->records() + log.count - 1, epoch, kind};
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
