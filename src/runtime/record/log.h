// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A thread's log: its logical clock, what it knows of others' clocks, and the block of the raw log
// that it is filling.
#pragma once

#include <cstdint>

#include "runtime/record/cell.h"
#include "runtime/state/quick.h"
#include "wire/raw_log.h"

namespace omnium::runtime::record {

// The latest accesses of an instruction, at the current clock with nothing but accesses behind
// them: one that begins where the last ended makes its record longer; after two steps of the same
// width the others are counted.
struct Run {
  std::uint64_t place, last, stride;
  wire::RawRecord* record;  // of the last access; a kRepeat if there is one
  std::uint32_t epoch;
  std::uint16_t size;
  wire::RawKind kind;
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
  Word first_word;            // no word of the thread in a cell is lower
  wire::RawBlock* block;
  std::uint32_t count;         // of records in it
  std::uint32_t slot;          // unique among the threads that live
  std::uint64_t logged_clock;  // of the last record
  Quick* quick;                // where instrumented code looks; null: nowhere
  std::uint32_t number;
  std::uint32_t depth;          // of open blocks
  std::uint32_t run_epoch;      // runs of others are over
  Run runs[kRuns];              // by place
  std::uint64_t known[kSlots];  // by slot: the thread's events up to this clock are before ours
};

// What the cells are like that the thread's accesses now do not change: all bytes written, or read.
inline Quick quick_words(const ThreadLog& log) {
  if (log.quick == nullptr) return kNothingIsQuick;
  const Word all = make_word(log.identity, false, kAllBytes, kAllBytes);
  return {kNothingIsQuick.now, all, all, kNoCell, all | kReader, kNoCell};
}

// Events from here on have this clock.
inline void set_clock(ThreadLog& log, std::uint64_t clock) {
  ++log.run_epoch;
  log.clock = clock;
  log.identity = identity_of(log.slot, clock);
  log.shared_identity = log.slot < kSharers ? identity_of(kShared, clock) : ~Word{0};
  if (log.quick != nullptr) *log.quick = quick_words(log);
}

// A new period: what was recorded before does not make later accesses redundant.
inline void advance(ThreadLog& log) { set_clock(log, log.clock + 1); }

// The raw log is full or cannot be written; null where there is none.
extern wire::RawHeader* header;

[[gnu::cold]] void stopped(ThreadLog& log);
[[gnu::noinline]] void seal(ThreadLog& log);  // the block is full: on to the next one
[[gnu::noinline]] void append_clock(ThreadLog& log);

inline void append_record(ThreadLog& log, wire::RawRecord record) {
  log.block->records()[log.count] = record;
  // After a kill the count says what is whole.
  log.block->count.store(++log.count, std::memory_order_release);
  if (log.count == wire::kRawRecordsPerBlock) [[unlikely]]
    seal(log);
}

inline void append_sized(ThreadLog& log, wire::RawKind kind, std::uint64_t object,
                         std::uint32_t size, std::uint64_t place) {
  if (header->stop_clock.load(std::memory_order_relaxed) != 0) [[unlikely]]
    return stopped(log);
  if (log.clock - log.logged_clock > 0xffff) [[unlikely]]
    append_clock(log);
  const std::uint64_t step = log.clock - log.logged_clock;
  log.logged_clock = log.clock;
  append_record(log, {object << 16 | std::uint64_t{size} << 6 | static_cast<std::uint64_t>(kind),
                      step << 48 | (place & wire::kRawPlaceMask)});
}

inline void append(ThreadLog& log, wire::RawKind kind, std::uint64_t object, std::uint64_t place) {
  ++log.run_epoch;
  append_sized(log, kind, object, 0, place);
}

inline Run& run_of(ThreadLog& log, std::uint64_t place) {
  return log.runs[place / kBytesPerRun % kRuns];
}
inline bool goes_on(const ThreadLog& log, const Run& run, wire::RawKind kind, std::uint64_t place) {
  return run.epoch == log.run_epoch && run.place == place && run.kind == kind;
}

// Does the access belong to the run's record? Then it is there now.
[[gnu::always_inline]] inline bool extend(Run& run, std::uint64_t address, std::uint32_t size) {
  if (run.repeats) {
    if (address != run.last + run.stride || size != run.size ||
        run.record->more == wire::kRawMaxRepeats) {
      return false;
    }
    ++run.record->more;
    run.last = address;
    return true;
  }
  if (address != run.last + run.size || run.size + size > wire::kRawMaxSize) return false;
  run.record->what += std::uint64_t{size} << 6;
  run.size = static_cast<std::uint16_t>(run.size + size);
  return true;
}

// A record for an access that its run's record cannot speak of.
[[gnu::noinline]] void append_new_access(ThreadLog& log, wire::RawKind kind, std::uint64_t address,
                                         std::uint32_t size, std::uint64_t place);

[[gnu::always_inline]] inline void append_access(ThreadLog& log, wire::RawKind kind,
                                                 std::uint64_t address, std::uint32_t size,
                                                 std::uint64_t place) {
  Run& run = run_of(log, place);
  if (goes_on(log, run, kind, place) && extend(run, address, size)) return;
  append_new_access(log, kind, address, size, place);
}

// `value` belongs to the record that is appended next.
void append_operand(ThreadLog& log, std::uint64_t value);
// A record with text, cut to what fits.
void append_text(ThreadLog& log, wire::RawKind kind, std::uint64_t object, const void* text,
                 std::size_t size);

// The highest clock of any thread.
std::uint64_t highest_clock();

extern ThreadLog* logs;  // by slot

// By slot: events from this clock on are of its thread, or all of them before its first. Apart from
// the logs, which their threads change all the time.
extern std::atomic<std::uint64_t> first_known[kSlots];

}  // namespace omnium::runtime::record
