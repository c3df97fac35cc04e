// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Could another interleaving of the same events violate atomicity? (docs/semantics.md#prediction.)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "event/check_mode.h"
#include "finding/finding.h"
#include "predict/access_classes.h"
#include "predict/deadlock.h"
#include "predict/loaded_trace.h"
#include "predict/races.h"
#include "predict/tree_builder.h"

namespace omnium::predict {

enum class Method { kCommitNode, kBlock, kReduction };
inline constexpr Method kAllMethods[] = {Method::kCommitNode, Method::kBlock, Method::kReduction};

std::string_view to_string(Method method);        // "commit-node", "block", "reduction"
std::string_view to_string(Atomicity atomicity);  // "conflict", "view"
std::optional<Method> find_method(std::string_view name);
std::optional<Atomicity> find_atomicity(std::string_view name);

// How sure a warning is; better is greater.
enum class Grade : std::uint8_t {
  kUndecided,    // neither an interleaving was found nor shown that there is none
  kSpeculative,  // only if atomic reads might see other writes than they saw
  kPossible,     // an admissible interleaving violates it
  kCertain,      // and in it every read but a thread's last event sees what it saw
};

std::string_view to_string(Grade grade);  // "undecided", "speculative", "possible", "certain"

// An interleaving of a prefix of each thread's events: what was recorded before `recorded`, in that
// order, and then these. It ends where the violation is complete.
struct Interleaving {
  EventIndex recorded = 0;
  std::vector<EventIndex> then;

  std::vector<EventIndex> order() const;  // all of it
};

// A transaction that might not be atomic. Copies of it in the same thread (equal accesses under
// equal locks) are not warned about again.
struct Warning {
  BlockRef transaction;  // with an interleaving: the block, or part of it, that is violated there
  EventIndex end = kNoEvent;
  std::uint64_t copies = 1;
  std::vector<std::pair<EventIndex, EventIndex>> commit_nodes;  // first and last event
  std::vector<BlockRef> partners;
  VarId variable;  // what the violation is about, or
  LockId lock;     // (reduction) the lock that was taken too late
  Grade grade = Grade::kUndecided;
  std::optional<Interleaving> interleaving;  // unless undecided
  // No transaction alone is to blame in the interleaving: this is one of a cycle of them.
  bool cycle = false;
};

struct MethodResult {
  Method method = Method::kCommitNode;
  Atomicity atomicity = Atomicity::kConflict;
  std::uint64_t suspected = 0;  // transactions that the method warns about, before any search
  // What has become of them, each list by the begin of the transaction.
  std::vector<Warning> warnings;     // possible or certain
  std::vector<Warning> undecided;    // the search found nothing and could not rule it out
  std::vector<Warning> speculative;  // found if PredictOptions::speculative asks for them
  std::uint64_t impossible = 0;      // ruled out by a complete search, or by commit-node
  std::uint64_t recorded = 0;        // the recording itself shows it: no prediction
  // How many transactions might be speculative: neither found nor ruled out.
  std::uint64_t perhaps_speculative = 0;
  bool complete = true;  // false: the method was cut off, so no warning does not mean atomic
  double seconds = 0;
  std::uint64_t space = 0;  // the paper's measure: nodes and edges; blocks; sizes of lock sets

  // In every admissible interleaving.
  bool atomic() const { return warnings.empty() && undecided.empty() && recorded == 0 && complete; }
  // Even if atomic reads might see other writes.
  bool atomic_without_reservation() const {
    return atomic() && speculative.empty() && perhaps_speculative == 0;
  }
};

struct Assumptions {
  bool no_deadlock_potential = true;
  bool outside_units_lock_free = true;
  bool nested_locks = true;
};

using Counter = std::pair<std::string_view, std::uint64_t>;

// A transaction that some methods warn about and others do not, before any search.
struct Difference {
  BlockRef transaction;
  std::vector<Method> warned_by;
};

struct Prediction {
  std::vector<MethodResult> methods;  // as asked for
  // The recorded order is itself admissible: otherwise it contradicts itself (a try that failed
  // although nobody held the lock), and what comes after that was not looked at.
  bool recording_admissible = true;
  bool recording_serializable = true;  // known only if something was searched for
  std::uint64_t open_blocks = 0;       // that the trace leaves open: the program was cut off
  Assumptions assumptions;
  DeadlockPotential deadlocks;
  std::vector<UnnestedLock> unnested;
  std::vector<Difference> differences;  // by their begin
  std::vector<RacingAccesses> races;    // if PredictOptions::races asks for them
  std::vector<Counter> stats;
};

struct PredictOptions {
  std::vector<Method> methods = {Method::kCommitNode};
  Atomicity atomicity = Atomicity::kConflict;  // of commit-node; block is view, reduction conflict
  Waits waits = Waits::kSplit;
  bool search = true;                 // for interleavings; without, everything is undecided
  bool speculative = false;           // search for speculative ones, too
  bool races = false;                 // list races of the conflict-forest
  std::uint64_t budget = 50'000'000;  // events that the search for interleavings may schedule
  // Recordings of at most so many events are searched completely; at most 64.
  std::size_t complete_search = 64;
  std::uint64_t max_work = 50'000'000;  // pairs that block-based may compare
  TreeOptions trees;
  bool (*is_over)() = nullptr;  // true: what is not decided yet stays undecided
};

Prediction predict(const LoadedTrace& trace, const PredictOptions& options);

}  // namespace omnium::predict
