// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What an engine says. Ids and event indices only: names, places and prose come later (report/).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "event/event.h"

namespace omnium {

// Kinds of direct dependencies (docs/semantics.md#conflicts-and-order).
enum class DependencyKind : std::uint8_t {
  kWriteRead,
  kReadWrite,
  kWriteWrite,
  kReleaseAcquire,
  kFork,
  kJoin,
  kSignalAwait,
};
std::string_view to_string(DependencyKind kind);  // "write-read", ...

// A direct dependency source -> sink between two threads. `object` is a variable, a lock, a signal
// or (fork, join) the thread that was started or waited for.
struct Dependency {
  ThreadId source_thread;
  EventIndex source;
  ThreadId sink_thread;
  EventIndex sink;
  DependencyKind kind;
  std::uint32_t object;
  friend bool operator==(const Dependency&, const Dependency&) = default;
};

// One dynamic block, or (label none) a unary event: `begin` is the index of its first event.
struct BlockRef {
  ThreadId thread;
  LabelId label;
  EventIndex begin = kNoEvent;
  friend auto operator<=>(const BlockRef&, const BlockRef&) = default;
};

// A dependency with the transactions that it connects. Successive steps of a witness meet in one
// thread: the next step's source event is not earlier than this step's sink event (program order).
struct WitnessStep {
  BlockRef from;
  BlockRef to;
  Dependency dependency;
};

// An instance (docs/semantics.md#verdicts): the dependency `closing` goes into the transaction
// from an event that its begin already reached.
struct Violation {
  BlockRef transaction;
  EventIndex end = kNoEvent;  // kNoEvent while the transaction is open
  Dependency closing;
  std::vector<BlockRef> refuted;     // blocks that this instance refutes, innermost first
  bool blamed = true;                // the transaction alone cannot be made contiguous
  std::vector<WitnessStep> witness;  // increasing, from the transaction back to it; last = closing
};

// A block that is refuted for the first time.
struct RefutedBlock {
  BlockRef block;
  std::size_t depth = 0;  // how many blocks are open around it: all of them are refuted too
  std::vector<WitnessStep> witness;  // starts in the block; only if wants_block_witnesses()
};

// The transaction graph has a cycle.
struct Cycle {
  EventIndex closed_at = kNoEvent;  // the event whose dependency closed it
  // All transactions of some cycle through the transaction of `closed_at` begin at or after this
  // event. kNoEvent: not known.
  EventIndex window_begin = kNoEvent;
  // In order, each with an edge to the next and the last one to the first. Empty: not known to the
  // engine.
  std::vector<BlockRef> transactions;
};

// Where engines put what they find, at the event that shows it.
class FindingSink {
 public:
  virtual ~FindingSink() = default;

  // An instance. Called for the first one of each transaction, or for all if every_instance().
  virtual void violation(Violation violation) = 0;
  // One more instance of a transaction that was reported before.
  virtual void repeated_instance() = 0;
  // Outer blocks come before those inside them.
  virtual void refuted(RefutedBlock refuted) = 0;
  // A reported transaction ended.
  virtual void transaction_ended(const BlockRef& transaction, EventIndex end) = 0;
  // The trace is not serializable; called once, at the first cycle that the engine sees.
  virtual void not_serializable(Cycle cycle) = 0;
  // What was said so far is void: the trace is read again from its start.
  virtual void start_again() = 0;

  // The blocks of the trace are functions that nobody declared atomic; said before any finding.
  virtual void functions_are_blocks() {}

  virtual bool every_instance() const = 0;
  // An instance of a transaction that was reported before has this innermost refuted block, for the
  // first time: is it a violation to report, too?
  virtual bool wants_inner_block(const BlockRef&) const { return false; }
  virtual bool wants_block_witnesses() const { return false; }
};

}  // namespace omnium
