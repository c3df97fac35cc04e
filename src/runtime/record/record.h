// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Records what the program does into a raw log. The calls are those of events/events.h, with the
// log of the thread at hand; a thread inside one of them must not enter another.
//
// Order comes from logical clocks, not from a global counter: of two events in conflict the later
// one has the higher clock, and events of one clock may be put in any order that keeps each
// thread's. docs/runtime/recording.md has the rules and the proof.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/record/follow.h"
#include "runtime/record/order.h"
#include "runtime/state/code.h"
#include "runtime/state/thread_log.h"

namespace omnium::runtime::record {

// The process --------------------------------------------------------------------------------

// Starts recording. False if that is not possible: a message was printed then, unless another
// process records into the file already. `shadow` is where cells can be (cell.h), mapped and empty;
// 0 if the recorder must map memory of its own.
bool start(const char* path, std::uintptr_t shadow, wire::RawKeeps keeps);
// Called before start() if blocks are functions that nobody declared atomic.
void take_undeclared();
bool is_on();
// The process ends normally. Everything is in the file already.
void finish();
// Around a fork.
void lock_logs();
void unlock_logs();
// In the child after fork(2): the log remains the parent's, and no thread has one here.
void abandon();
// Called before a thread without a log creates another thread. In the child of a fork, the first
// call starts a log of its own. Null if there is none.
ThreadLog* start_in_child(std::uint32_t number, Pc start);
// Records what is loaded now. Called at the start and after dlopen.
void modules_changed(ThreadLog& log);

// Threads ------------------------------------------------------------------------------------

// `number` is 0, 1, ... in the order of creation and never used twice. `parent` forks the thread at
// `pc`, or is null. `start` is the function that the thread runs, or 0. If too many threads run at
// once, the recording stops.
ThreadLog& new_thread(std::uint32_t number, ThreadLog* parent, Pc start, Pc pc);
// Keeps `quick` up to date until the thread ends. The fast path that is inlined into the program
// compares it with the cells in the shadow that start() was given.
void show_quick(ThreadLog& log, Quick& quick);
// Called by the new thread itself before its other events.
void thread_began(ThreadLog& log);
void thread_has_stack(ThreadLog& log, std::uintptr_t begin, std::uintptr_t end);
void thread_named(ThreadLog& log, const char* name);

ThreadEnd thread_ended(ThreadLog& log);
void thread_joined(ThreadLog& log, const ThreadEnd& child, Pc pc);

// Memory -------------------------------------------------------------------------------------

// Does the second word of the cell say that the thread has read the bytes in its current period?
inline bool is_read_now(const ThreadLog& log, Word read, unsigned bytes) {
  if (is_same_period(read, log.identity)) return (bytes & ~read) == 0;
  return is_same_period(read, log.shared_identity) &&
         (set_bits<Halves::kTouched>(log.slot, bytes) & ~read) == 0;
}

template <bool kWrite>
inline bool is_redundant(const ThreadLog& log, const Cell& cell, unsigned bytes) {
  const Word written = cell.written.load(std::memory_order_relaxed);
  if (is_same_period(written, log.identity) && (bytes & ~written) == 0) return true;
  return !kWrite && is_read_now(log, cell.read.load(std::memory_order_relaxed), bytes);
}

// The next cell often has the same readers, so the fast path compares with this word.
template <unsigned kSize, bool kWrite>
inline void remember_redundant(ThreadLog& log, const Cell& cell) {
  if (kSize < 8 || kWrite || log.quick == nullptr) return;
  const Word read = cell.read.load(std::memory_order_relaxed);
  if (is_read_now(log, read, kAllBytes)) log.quick->read_last = read;
}

// Records an access to bytes in one cell. `alone`: no other thread changes the cell now.
template <unsigned kSize, bool kWrite>
[[gnu::always_inline]] inline void access_cell(ThreadLog& log, std::uintptr_t address, bool alone,
                                               Pc pc) {
  catch_up(log);
  Cell& cell = cell_at(address);
  const unsigned bytes = kSize == 8 ? kAllBytes : ((1u << kSize) - 1) << address % 8;
  const Touched touched = alone ? touch_mine(log, cell, bytes, kWrite) : Touched::kNot;
  bool redundant = touched == Touched::kBefore;
  if (touched == Touched::kNot && is_redundant<kWrite>(log, cell, bytes)) {
    redundant = true;
    if (thins_out) remember_redundant<kSize, kWrite>(log, cell);
  } else if (touched == Touched::kNot) {
    if constexpr (kSize == 8) {
      touch_all<kWrite>(log, cell);
    } else {
      touch(log, cell, bytes, kWrite);
    }
  }
  if (redundant && thins_out) return;
  if (!redundant) note_access(log, address);
  append_access(log, kWrite ? wire::RawKind::kWrite : wire::RawKind::kRead, address, kSize, pc);
}

// Records an access to any bytes.
void access(ThreadLog& log, const void* pointer, std::size_t size, bool write, Pc pc);

// Does an atomic load of the address at this place only repeat the thread's latest event, as in a
// loop that spins?
inline bool repeats_load(const ThreadLog& log, std::uintptr_t address, Pc pc) {
  return log.loaded_at == pc && log.loaded == address;
}

// An atomic operation of at most 16 bytes happens between these. Its cells are locked meanwhile.
void atomic_begin(ThreadLog& log, const void* pointer, unsigned size);
void atomic_abandoned(const void* pointer, unsigned size);  // it did not happen after all
// `kind` is one of the kinds of accesses.
void atomic_end(ThreadLog& log, const void* pointer, unsigned size, wire::RawKind kind, Pc pc);
// Called instead of atomic_end: a write that begins a new object.
void atomic_write_anew(ThreadLog& log, const void* pointer, unsigned size, Pc pc);

void forget_range(ThreadLog& log, const void* pointer, std::size_t size);
// Does a cell of the bytes mention another thread?
bool is_used_by_others(const ThreadLog& log, std::uintptr_t address, std::size_t size);
// Frees the bytes at `pc`: whatever other threads touched is written.
void free_range(ThreadLog& log, const void* pointer, std::size_t size, Pc pc);
void allocated(ThreadLog& log, const void* pointer, std::size_t size, Pc pc);

// Synchronization ----------------------------------------------------------------------------

// An acquire of any kind, after the real one; a release of any kind, before the real one; kBusy;
// kTry; or kForgetLock.
void sync(ThreadLog& log, wire::RawKind kind, const void* object, Pc pc);

// A meeting is a word, which is 0 at first. `object` gives the meeting its name.
struct MeetingWord {
  std::uint64_t& word;
  wire::RawMeeting kind;
};
void contribute(ThreadLog& log, MeetingWord meeting, const void* object, Pc pc);
void collect(ThreadLog& log, MeetingWord meeting, const void* object, Pc pc);
void follow(ThreadLog& log, MeetingWord meeting, const void* object, Pc pc);

// Blocks -------------------------------------------------------------------------------------

void begin(ThreadLog& log, const char* label, Pc pc);  // the label must stay where it is
void forget_labels();                                  // a new log needs their texts again
void begin_function(ThreadLog& log, Pc function, Pc pc);
void end(ThreadLog& log, Pc pc);

// Nothing was called by the body of the thread so far.
void body_begins(ThreadLog& log);
// The block that begins next is the first call of the thread's body; what becomes known of it.
void body_calls(ThreadLog& log, Pc function);
void body_call_is(ThreadLog& log, wire::RawBodyCallFact fact);

}  // namespace omnium::runtime::record
