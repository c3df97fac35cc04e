// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The reach engine (docs/algorithms/reach.md) inside the program: which events does each open
// transaction reach? Only live dependencies come here. They are few, so one lock protects
// everything.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/state/thread.h"
#include "runtime/system/spin_lock.h"
#include "wire/protocol.h"

namespace omnium::runtime {

// How a row reached a thread: by the dependency whose sink is the first event of the thread that
// the row reaches.
struct ReachLink {
  std::uint64_t time;       // of the sink
  std::uint64_t from_time;  // of the source
  std::uint64_t object;
  Pc pc;               // of the sink
  std::uint32_t from;  // index of the source's thread
  wire::StepKind kind;
  std::uint8_t size;
  bool atomic;
};

// The rows ER and TR of one open block. TR is kept for outermost blocks only.
struct ReachRow {
  ThreadState* owner;
  std::uint64_t begin;
  std::uint32_t depth;
  std::uint32_t place;  // in the list of all rows
  std::uint64_t event_set[kMaxThreads / 64];
  std::uint64_t txn_set[kMaxThreads / 64];
  ReachLink event[kMaxThreads];
  std::uint64_t txn[kMaxThreads];

  bool reaches_event(const ThreadState& thread, std::uint64_t time) const {
    return (event_set[thread.index / 64] >> thread.index % 64 & 1) != 0 &&
           event[thread.index].time <= time;
  }
  std::uint64_t txn_reached(std::uint32_t index) const {
    return (txn_set[index / 64] >> index % 64 & 1) != 0 ? txn[index] : kNotReached;
  }
};

struct Dependency {
  ThreadState* source;
  std::uint64_t time;  // of the source, full
  wire::StepKind kind;
  bool only_read = false;  // all that the source did to the memory is to read it
};

// The event that is the target of dependencies.
struct Sink {
  std::uint64_t object;
  Pc pc;
  std::uint8_t size;
  bool atomic;
};

// The current event of the thread has these dependencies, which were live a moment ago. Advances
// the time of the thread.
void receive(ThreadState& thread, const Dependency* dependencies, std::size_t count,
             const Sink& sink);

// Has no other thread noticed the thread's open part so far, but for attempts on this variable? The
// answer is right before the event that is about to happen.
bool is_unnoticed(const ThreadState& thread, AtomicVariable variable);

// Gives back the rows of the thread: its outermost block ends.
void drop_rows(ThreadState& thread);

// Removes the thread from all rows, because its state is about to be used for another thread.
void forget_column(ThreadState& thread);

extern SpinLock reach_lock;

// Writes reached_at of the thread into its slots. Must be called under the lock.
void publish_reached(ThreadState& thread);

}  // namespace omnium::runtime
