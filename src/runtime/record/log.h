// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A thread's log: its logical clock, what it knows of others' clocks, and the block of the raw log
// that it is filling.
#pragma once

#include <cstdint>

#include "live/raw_log.h"
#include "runtime/record/cell.h"

namespace omnium::runtime::record {

// The latest accesses of an instruction, at the current clock with nothing but accesses behind
// them: one that begins where the last ended makes its record longer; after two steps of the same
// width the others are counted.
struct Run {
  std::uint64_t place, last, stride;
  live::RawRecord* record;  // of the last access; a kRepeat if there is one
  std::uint32_t epoch;
  std::uint16_t size;
  live::RawKind kind;
  bool repeats;
};
// Return addresses are at least five bytes apart: those of a kilobyte of code never share a place.
inline constexpr std::size_t kRuns = 256;
inline constexpr std::uint64_t kBytesPerRun = 4;

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

// Does the access belong to the run's record? Then it is there now.
inline bool extend(Run& run, std::uint64_t address, std::uint32_t size) {
  if (run.repeats) {
    if (address != run.last + run.stride || size != run.size ||
        run.record->more == live::kRawMaxRepeats) {
      return false;
    }
    ++run.record->more;
    run.last = address;
    return true;
  }
  if (address != run.last + run.size || run.size + size > live::kRawMaxSize) return false;
  run.record->what += std::uint64_t{size} << 6;
  run.size = static_cast<std::uint16_t>(run.size + size);
  return true;
}

inline void append_access(ThreadLog& log, live::RawKind kind, std::uint64_t address,
                          std::uint32_t size, std::uint64_t place) {
  if (header->stop_clock.load(std::memory_order_relaxed) != 0) [[unlikely]]
    return stopped(log);  // there may be no block
  Run& run = log.runs[place / kBytesPerRun % kRuns];
  const std::uint32_t epoch = log.run_epoch;
  const bool goes_on = run.epoch == epoch && run.place == place && run.kind == kind;
  if (goes_on && extend(run, address, size)) return;
  const std::uint64_t stride = address - run.last;
  const bool repeats = goes_on && !run.repeats && stride == run.stride && size == run.size &&
                       log.count + 3 < live::kRawRecordsPerBlock;
  append_sized(log, kind, address, size, place);
  if (repeats)
    append_record(log, {stride << 16 | static_cast<std::uint64_t>(live::RawKind::kRepeat), 0});
  run = {place,
         address,
         goes_on ? stride : 0,
         log.block->records() + log.count - 1,
         epoch,
         static_cast<std::uint16_t>(size),
         kind,
         repeats};
}

// `value` belongs to the record that is appended next.
void append_operand(ThreadLog& log, std::uint64_t value);
// A record with text, cut to what fits.
void append_text(ThreadLog& log, live::RawKind kind, std::uint64_t object, const void* text,
                 std::size_t size);

// The highest clock of any thread.
std::uint64_t highest_clock();

extern ThreadLog* logs;  // by slot

// Events of the slot from this clock on are of its thread, or all of them before its first.
inline std::uint64_t first_known_clock(std::uint32_t slot) {
  return std::atomic_ref(logs[slot].first_known).load(std::memory_order_relaxed);
}

}  // namespace omnium::runtime::record
