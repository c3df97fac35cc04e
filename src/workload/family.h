// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The contract of a family of generated traces. A family decides who runs and what each thread does
// next; the interleaver does the rest: exactly as many events as asked for, a clean end, the
// planted violation.
//
// A family must be serializable however its scripts are interleaved. Two arguments carry all of
// them:
//
//   POINTS. Every transaction has a point in time between its first and its last event such that
//   each dependency goes from an earlier point to a later one. Then the order of the points is a
//   serial order. Two-phase locking gives such points: no (outermost) acquire after the first
//   release of a transaction, every shared access under the lock of its variable; the point is the
//   last acquire. An event outside of blocks is its own point.
//
//   TREE. Threads are the nodes of a tree, only neighbours share variables, and a transaction makes
//   at most one access to the variables that it shares with one neighbour. Proof: a cycle that
//   enters the subtree behind a neighbour at access s and leaves it at s' has s <= s' in time (else
//   the subtree alone had a cycle); the access before s and the one after s' are then by this
//   thread in program order, in two transactions, as one transaction makes only one such access.
//   Program order is a shorter way: the cycle loses its subtree, until it runs in one thread, where
//   there is none.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "workload/dice.h"
#include "workload/lock_pool.h"
#include "workload/script.h"
#include "workload/workload.h"

namespace omnium::workload {

// `length` events of `thread` at once (fewer if its script ends).
struct Run {
  std::uint32_t thread;
  std::uint32_t length;
};

class Family {
 public:
  Family(const WorkloadOptions& options, std::uint32_t locks)
      : threads_(options.threads), locks_(locks) {}
  virtual ~Family() = default;
  Family(const Family&) = delete;
  Family& operator=(const Family&) = delete;

  // Who runs next. Names only threads that may act.
  virtual Run next_run(Dice& dice) {
    const std::uint32_t thread = dice.below(threads_);
    return {thread, run_length(dice)};
  }

  // Writes the next script of `thread`, whose last one has been played to its end. Nothing at all
  // if the thread has to wait; next_run() must not ask for it for ever.
  virtual void write(std::uint32_t thread, Script& script, Dice& dice) = 0;

  // An event that engines do not know was played (event/event.h: after kJoin).
  virtual void played(const Event& /*event*/) {}

  // A variable that `thread` may read outside of blocks at any time. x0 is never written by
  // default.
  virtual std::uint32_t quiet_variable(std::uint32_t /*thread*/) const { return 0; }

  // Who may play the planted violation now; none if it has to wait. Both are played to the end of
  // their scripts before.
  virtual std::optional<std::pair<std::uint32_t, std::uint32_t>> planters() const {
    return std::pair{0u, 1u};
  }

  // First and last events of the trace, if they are special.
  virtual void write_prologue(Script& /*scene*/) {}
  virtual void write_epilogue(Script& /*scene*/) {}

  LockPool& locks() { return locks_; }

 protected:
  // Short turns: a transaction of ten events is interrupted about twice.
  static std::uint32_t run_length(Dice& dice) { return 1 + dice.below(8); }

  std::uint32_t threads_;
  LockPool locks_;
};

// A row of the table of families.
struct FamilyEntry {
  WorkloadFamily family;
  std::string_view labels;  // separated by spaces
  // What is wrong with these sizes; nothing if the family can have them.
  std::optional<std::string> (*wrong_sizes)(const WorkloadOptions& options);
  std::unique_ptr<Family> (*make)(const WorkloadOptions& options);
  bool signals = false;  // each thread has a channel c0, c1, ... on which it is notified
};

extern const FamilyEntry kLocks, kPrivate, kReadShared, kLongTxn, kPipeline, kChain, kStar,
    kForkJoin, kRandom, kAtomics, kWaits;

// What wrong_sizes() says for the usual minima.
std::optional<std::string> at_least(std::string_view what, std::uint64_t minimum,
                                    std::uint64_t given);

}  // namespace omnium::workload
