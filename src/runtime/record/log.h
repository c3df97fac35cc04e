// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The log of a thread: its logical clock, what it knows of the clocks of other threads, and the
// block of the raw log that it is filling.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "runtime/record/cell.h"
#include "runtime/state/quick.h"
#include "wire/raw_log.h"

namespace omnium::runtime::record {

// The latest accesses of one instruction. As long as the clock stays the same and nothing but
// accesses happens, further accesses of the instruction share their record: one that begins where
// the last ended makes it longer, and after two steps of the same width the others are only
// counted. If the recording is complete, each access stays where it was, and only loops are
// counted.
struct Run {
  std::uint64_t place, last, stride;
  wire::RawRecord* record;  // of the last access, or its kRepeat
  std::uint32_t epoch;
  std::uint32_t index;      // of the last access in its block, if the recording is complete
  std::uint16_t size;
  wire::RawKind kind;
  bool repeats;
};
// Calls are at least five bytes long, so return addresses within one kilobyte of code never share
// an entry.
inline constexpr std::size_t kRuns = 256;
inline constexpr std::uint64_t kBytesPerRun = 4;

// A loop of the program in a complete recording: the latest accesses came three times, each time by
// the same instructions and as many bytes further. As long as the next access is the one that
// follows, it is only counted.
struct LoopStep {
  std::uint64_t place, next, stride;
  std::uint64_t what;  // kind and size, as in a record
};
struct Loop {
  std::uint32_t epoch;    // it goes on if this is that of the log
  std::uint32_t length;   // of the loop, or of one that might be found
  std::uint32_t matched;  // so many of the latest accesses came `length` accesses before, too
  std::uint32_t at;       // the step that follows
  wire::RawRecord* record;
  LoopStep steps[wire::kRawLongestLoop];
};

struct ThreadLog {
  Word identity;         // slot and clock as in cells; every access looks at it
  Word shared_identity;  // that of sets of readers; no word if the thread does not fit into a set
  std::uint64_t clock;
  std::uint64_t first_clock;  // of its first event
  Word first_word;            // all words of the thread in cells are at least this
  wire::RawBlock* block;
  std::uint32_t count;         // of records in the block
  std::uint32_t slot;          // unique among the threads that run
  std::uint64_t logged_clock;  // the clock of the last record
  Quick* quick;                // the cells that the inlined fast path compares with; null: not used
  std::uint32_t number;
  std::uint32_t depth;      // of open blocks
  std::uint32_t least_depth;  // of blocks that are transactions: 1 inside of one that may be none
  std::uint32_t run_epoch;  // runs with another epoch have ended
  Run runs[kRuns];          // by place
  Loop loop;
  std::uintptr_t stack_begin, stack_size;
  std::uint64_t begun;         // blocks so far
  std::uint64_t body_call;     // the first call of the thread's body is that one; 0: there is none
  std::uint64_t body_callee;   // its function
  // The thread's latest event, if that is an atomic load: where, and of what. Accesses to its own
  // stack and redundant ones do not count. 0: it is another event.
  std::uint64_t loaded_at, loaded;
  std::uint64_t known[kLogSlots];  // by slot: events of its thread up to this clock precede ours
};

// The words of cells that an access of the thread leaves as they are: all bytes were written, or
// read, in the current period.
inline Quick quick_words(const ThreadLog& log) {
  if (log.quick == nullptr) return kNothingIsQuick;
  const Word all = make_word(log.identity, false, kAllBytes, kAllBytes);
  return {kNothingIsQuick.now, all, all, kNoCell, all | kReader, kNoCell};
}

// Gives the following events this clock.
inline void set_clock(ThreadLog& log, std::uint64_t clock) {
  ++log.run_epoch;
  log.clock = clock;
  log.identity = identity_of(log.slot, clock);
  log.shared_identity = log.slot < kSharers ? identity_of(kSharedSlot, clock) : ~Word{0};
  if (log.quick != nullptr) *log.quick = quick_words(log);
}

// Begins a new period: later accesses are not redundant because of what was recorded before.
inline void advance(ThreadLog& log) { set_clock(log, log.clock + 1); }

// The mapped header of the raw log; null if nothing is recorded.
extern wire::RawHeader* header;

// Are redundant accesses left out? They matter to no verdict on the recorded order, but to
// predictions of other orders.
extern bool thins_out;

// The highest clock of an event that has a place among all events of all threads, although it need
// not be in conflict with them: a signal, the end of a thread, an attempt that failed.
extern std::atomic<std::uint64_t> placed_clock;

// The place of the thread's latest event among those of all threads, as a number. Readers of the
// log sort by clock, then by thread.
constexpr std::uint64_t place_of(std::uint64_t clock, std::uint32_t thread) {
  constexpr unsigned kThreadBits = 28;
  return clock << kThreadBits | (thread & ((1u << kThreadBits) - 1));
}
inline std::uint64_t place_of(const ThreadLog& log) { return place_of(log.clock, log.number); }

// The next event is later than every event so far that has such a place. It begins a block, goes on
// after a wait, or depends on another thread.
inline std::uint64_t after_placed() { return placed_clock.load(std::memory_order_relaxed) + 1; }
inline void begin_part(ThreadLog& log) { set_clock(log, std::max(log.clock + 1, after_placed())); }
// The next event gets such a place: it is later than everything that any thread has done so far.
void begin_placed(ThreadLog& log);
// What other threads do from now on is later, if its place matters.
void end_placed(const ThreadLog& log);

[[gnu::cold]] void stopped(ThreadLog& log);
[[gnu::noinline]] void seal(ThreadLog& log);  // writes the full block and begins the next one
[[gnu::noinline]] bool append_clock(ThreadLog& log);  // false if there is no room for more records

inline void append_record(ThreadLog& log, wire::RawRecord record) {
  log.block->records()[log.count] = record;
  // If the program is killed, the count says which records are complete.
  log.block->count.store(++log.count, std::memory_order_release);
  if (log.count == wire::kRawRecordsPerBlock) [[unlikely]]
    seal(log);
}

inline void append_sized(ThreadLog& log, wire::RawKind kind, std::uint64_t object,
                         std::uint32_t size, std::uint64_t place) {
  if (header->stop_clock.load(std::memory_order_relaxed) != 0) [[unlikely]]
    return stopped(log);
  if (log.clock - log.logged_clock > 0xffff && !append_clock(log)) [[unlikely]]
    return stopped(log);
  const std::uint64_t step = log.clock - log.logged_clock;
  log.logged_clock = log.clock;
  append_record(log, wire::make_record(kind, object, size, step, place));
}

inline void append(ThreadLog& log, wire::RawKind kind, std::uint64_t object, std::uint64_t place,
                   std::uint32_t size = 0) {
  ++log.run_epoch;
  log.loaded_at = 0;
  append_sized(log, kind, object, size, place);
}

inline Run& run_of(ThreadLog& log, std::uint64_t place) {
  return log.runs[place / kBytesPerRun % kRuns];
}
inline bool goes_on(const ThreadLog& log, const Run& run, wire::RawKind kind, std::uint64_t place) {
  return run.epoch == log.run_epoch && run.place == place && run.kind == kind;
}

// Adds the access to the record of the run. False if it does not fit.
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
  wire::add_size(*run.record, size);
  run.size = static_cast<std::uint16_t>(run.size + size);
  return true;
}

// Appends a record for an access that does not fit into the record of its run.
[[gnu::noinline]] void append_new_access(ThreadLog& log, wire::RawKind kind, std::uint64_t address,
                                         std::uint32_t size, std::uint64_t place);

// The same in a complete recording, for an access that is not the next one of a loop.
[[gnu::noinline]] void append_next_access(ThreadLog& log, wire::RawKind kind, std::uint64_t address,
                                          std::uint32_t size, std::uint64_t place);

// Counts the access if it is the next one of a loop.
[[gnu::always_inline]] inline bool continue_loop(ThreadLog& log, wire::RawKind kind,
                                                 std::uint64_t address, std::uint32_t size,
                                                 std::uint64_t place) {
  Loop& loop = log.loop;
  if (loop.epoch != log.run_epoch) return false;
  LoopStep& step = loop.steps[loop.at];
  const std::uint64_t what = std::uint64_t{size} << 6 | static_cast<std::uint64_t>(kind);
  const bool follows = step.place == place && step.next == address && step.what == what;
  if (!follows || loop.record->more == wire::kRawMaxLooped) {
    ++log.run_epoch;
    return false;
  }
  step.next += step.stride;
  loop.at = loop.at + 1 == loop.length ? 0 : loop.at + 1;
  ++loop.record->more;
  return true;
}

[[gnu::always_inline]] inline void append_access(ThreadLog& log, wire::RawKind kind,
                                                 std::uint64_t address, std::uint32_t size,
                                                 std::uint64_t place) {
  if (!thins_out) {
    if (continue_loop(log, kind, address, size, place)) return;
    return append_next_access(log, kind, address, size, place);
  }
  Run& run = run_of(log, place);
  if (goes_on(log, run, kind, place) && extend(run, address, size)) return;
  append_new_access(log, kind, address, size, place);
}

// Appends an operand of the next record.
void append_operand(ThreadLog& log, std::uint64_t value);
// Appends a record with text. A text that is too long is cut.
void append_text(ThreadLog& log, wire::RawKind kind, std::uint64_t object, const void* text,
                 std::size_t size);

// An access that is not redundant happens.
inline void note_access(ThreadLog& log, std::uintptr_t address) {
  if (address - log.stack_begin >= log.stack_size) log.loaded_at = 0;
}

// The highest clock of any thread.
std::uint64_t highest_clock();

// The process that follows the log is gone (follow.h): the recording stops.
void reader_is_gone();

extern ThreadLog* logs;  // by slot

// By slot: what `known` says about the slot holds for clocks from this one on. Earlier clocks are
// those of another thread that had the slot, which need not precede the current one. This lies
// apart from the logs, because their threads write to them all the time.
extern std::atomic<std::uint64_t> first_known[kLogSlots];

}  // namespace omnium::runtime::record
