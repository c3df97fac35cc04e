// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The reach engine (docs/algorithms/reach.md) inside the program: which events does each open
// transaction reach? Only live dependencies come here. They are few, so one lock protects
// everything.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/online/reach_row.h"
#include "runtime/state/thread.h"
#include "runtime/system/spin_lock.h"
#include "wire/protocol.h"

namespace omnium::runtime {

struct Dependency {
  ThreadState* source;
  std::uint64_t time;  // of the source, full
  wire::StepKind kind;
  bool only_read = false;  // all that the source did to the memory is to read it
  TxnRef txn = {};         // of the source
};

// The event that is the target of dependencies.
struct Sink {
  std::uint64_t object;
  Pc pc;
  std::uint8_t size;
  wire::Atomicity atomicity = wire::Atomicity::kPlain;
};

// Grows whenever a row is made or changed. Who sees an event of another thread sees what the engine
// did before it.
extern std::atomic<std::uint64_t> reach_state;

// Is it known that a live dependency from this event has no effect?
inline bool is_known_source(ThreadState& thread, const ThreadState& source, std::uint64_t time) {
  const KnownSource& known = thread.known_sources.of(source.index);
  if (known.state != reach_state.load(std::memory_order_acquire) ||
      known.thread != source.index || time < known.from || time > known.to) {
    return false;
  }
  if (known.depth == 0) return true;
  const OpenBlock& block = thread.blocks[known.depth - 1];
  return known.depth <= thread.depth.load(std::memory_order_relaxed) && block.refuted &&
         block.begin.load(std::memory_order_relaxed) == known.begin;
}

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
