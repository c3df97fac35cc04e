// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The reach engine inside the program (docs/runtime/online.md): which events does each open
// transaction already reach? Only live dependencies come here; they are few, so one lock serves.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/state/thread.h"
#include "runtime/system/spin_lock.h"
#include "wire/protocol.h"

namespace omnium::runtime {

// How a row reached a thread: the dependency whose sink is the first event reached there.
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

// event_reach and txn_reach of one open block; the second is kept for outermost blocks only.
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
};

// The event that dependencies lead to.
struct Sink {
  std::uint64_t object;
  Pc pc;
  std::uint8_t size;
  bool atomic;
};

// The current event of the thread depends on these, all live a moment ago. Advances its time.
void receive(ThreadState& thread, const Dependency* dependencies, std::size_t count,
             const Sink& sink);

// The outermost block of the thread ends, and others know of it: its rows go.
void drop_rows(ThreadState& thread);

// The rows mention the thread no more; its state is about to be used for another one.
void forget_column(ThreadState& thread);

extern SpinLock reach_lock;

// Writes reached_at of the thread into its slots. Under the lock.
void publish_reached(ThreadState& thread);

}  // namespace omnium::runtime
