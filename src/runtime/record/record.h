// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Records what the program does into a raw log. The calls are those of runtime/events.h, with the
// log of the thread at hand; a thread inside one of them must not enter another (a signal handler).
//
// Order comes from logical clocks, not from a global counter: of two events in conflict the later
// one has the higher clock, and events of one clock may be put in any order that keeps each
// thread's. docs/runtime/recording.md has the rules and the proof.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/record/order.h"
#include "runtime/state/code.h"
#include "runtime/state/thread_log.h"

namespace omnium::runtime::record {

// The process --------------------------------------------------------------------------------

// Recording starts; false if not, and a message was printed unless another process records into
// this file already. `shadow`: where cells can lie (cell.h), mapped and empty; 0: nowhere yet.
bool start(const char* path, std::uintptr_t shadow);
// The process ends in order. Everything is in the file already.
void finish();
// In the child after fork(2): the log stays the parent's, and all threads are without one.
void abandon();
// Before a thread without a log makes another: in a forked process the first time starts a log of
// its own. Null if there is none.
ThreadLog* start_in_child(std::uint32_t number, Pc start);
// What is loaded now; at the start and after dlopen.
void modules_changed(ThreadLog& log);

// Threads ------------------------------------------------------------------------------------

// `number`: 0, 1, ... in the order of creation, never used twice. `parent`: who forks it at `pc`,
// or null. `start`: the function that it runs, or 0. With 1024 threads at once the recording ends.
ThreadLog& new_thread(std::uint32_t number, ThreadLog* parent, Pc start, Pc pc);
// Keeps `quick` up to date until the thread ends: code that is compiled into the program looks
// there, and at the shadow that start() was told.
void show_quick(ThreadLog& log, Quick& quick);
void thread_named(ThreadLog& log, const char* name);

ThreadEnd thread_ended(ThreadLog& log);
void thread_joined(ThreadLog& log, const ThreadEnd& child, Pc pc);

// Memory -------------------------------------------------------------------------------------

// Has the thread read the bytes now, as the second word of their cell says?
inline bool is_read_now(const ThreadLog& log, Word read, unsigned bytes) {
  if ((read ^ log.identity) >> kSlotShift == 0) return (bytes & ~read) == 0;
  return (read ^ log.shared_identity) >> kSlotShift == 0 &&
         (set_bits<Halves::kTouched>(log.slot, bytes) & ~read) == 0;
}

template <bool kWrite>
inline bool is_redundant(const ThreadLog& log, const Cell& cell, unsigned bytes) {
  const Word written = cell.written.load(std::memory_order_relaxed);
  if ((written ^ log.identity) >> kSlotShift == 0 && (bytes & ~written) == 0) return true;
  return !kWrite && is_read_now(log, cell.read.load(std::memory_order_relaxed), bytes);
}

// The next cell has the same readers, as likely as not.
template <unsigned kSize, bool kWrite>
inline void remember_redundant(ThreadLog& log, const Cell& cell) {
  if (kSize < 8 || kWrite || log.quick == nullptr) return;
  const Word read = cell.read.load(std::memory_order_relaxed);
  if (is_read_now(log, read, kAllBytes)) log.quick->read_last = read;
}

// Bytes that lie in one cell. `alone`: nobody else changes the cell now.
template <unsigned kSize, bool kWrite>
[[gnu::always_inline]] inline void access_cell(ThreadLog& log, std::uintptr_t address, bool alone,
                                               Pc pc) {
  Cell& cell = cell_at(address);
  const unsigned bytes = kSize == 8 ? kAllBytes : ((1u << kSize) - 1) << address % 8;
  const Touched touched = alone ? touch_mine(log, cell, bytes, kWrite) : Touched::kNot;
  if (touched == Touched::kBefore) return;
  if (touched == Touched::kNot) {
    if (is_redundant<kWrite>(log, cell, bytes)) return remember_redundant<kSize, kWrite>(log, cell);
    if constexpr (kSize == 8) {
      touch_all<kWrite>(log, cell);
    } else {
      touch(log, cell, bytes, kWrite);
    }
  }
  append_access(log, kWrite ? wire::RawKind::kWrite : wire::RawKind::kRead, address, kSize, pc);
}

// Any bytes.
void access(ThreadLog& log, const void* pointer, std::size_t size, bool write, Pc pc);

// An atomic operation happens between these; nobody else gets at its bytes in the meantime. At most
// 16 bytes.
void atomic_begin(const void* pointer, unsigned size);
void atomic_end(ThreadLog& log, const void* pointer, unsigned size, bool read, bool write, Pc pc);
// Instead of the end: a write to a new object.
void atomic_write_anew(ThreadLog& log, const void* pointer, unsigned size, Pc pc);

void forget_range(ThreadLog& log, const void* pointer, std::size_t size);
void allocated(ThreadLog& log, const void* pointer, std::size_t size, Pc pc);

// Synchronization ----------------------------------------------------------------------------

// kAcquire and kReadAcquire, kWriteAcquire after the real one; kRelease, ... before it;
// kForgetLock.
void sync(ThreadLog& log, wire::RawKind kind, const void* object, Pc pc);

// A meeting is a word, 0 when it is new; `object` gives it its name.
void contribute(ThreadLog& log, std::uint64_t& meeting, const void* object, Pc pc);
void collect(ThreadLog& log, std::uint64_t& meeting, const void* object, Pc pc);

// Blocks -------------------------------------------------------------------------------------

void begin(ThreadLog& log, const char* label, Pc pc);  // the label lives for ever
void forget_labels();                                  // their texts are in another log
void begin_function(ThreadLog& log, Pc function, Pc pc);
void end(ThreadLog& log, Pc pc);

}  // namespace omnium::runtime::record
