// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Could another interleaving of the same events violate atomicity? (docs/semantics.md#prediction.)
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "finding/finding.h"
#include "predict/access_classes.h"
#include "predict/deadlock.h"
#include "predict/loaded_trace.h"
#include "predict/tree_builder.h"

namespace omnium::predict {

enum class Method { kCommitNode, kBlock, kReduction };
inline constexpr Method kAllMethods[] = {Method::kCommitNode, Method::kBlock, Method::kReduction};

std::string_view to_string(Method method);        // "commit-node", "block", "reduction"
std::string_view to_string(Atomicity atomicity);  // "conflict", "view"
std::optional<Method> find_method(std::string_view name);
std::optional<Atomicity> find_atomicity(std::string_view name);

// A transaction that might not be atomic. Copies of it in the same thread (equal accesses under
// equal locks) are not warned about again.
struct Warning {
  BlockRef transaction;
  EventIndex end = kNoEvent;
  std::uint64_t copies = 1;
  std::vector<std::pair<EventIndex, EventIndex>> commit_nodes;  // first and last event
  std::vector<BlockRef> partners;
  VarId variable;  // what the violation is about, or
  LockId lock;     // (reduction) the lock that was taken too late
  bool confirmed = false;
  std::string witness;  // what on_witness returned
};

struct MethodResult {
  Method method = Method::kCommitNode;
  Atomicity atomicity = Atomicity::kConflict;
  std::vector<Warning> warnings;  // by their begin
  bool complete = true;           // false: cut off, so no warning does not mean atomic
  double seconds = 0;
  std::uint64_t space = 0;  // the paper's measure: nodes and edges; blocks; sizes of lock sets
  bool atomic() const { return warnings.empty() && complete; }
};

struct Assumptions {
  bool no_deadlock_potential = true;
  bool outside_units_lock_free = true;
  bool nested_locks = true;
};

using Counter = std::pair<std::string_view, std::uint64_t>;

// A transaction that some methods warn about and others do not.
struct Difference {
  BlockRef transaction;
  std::vector<Method> warned_by;
};

struct Prediction {
  std::vector<MethodResult> methods;  // as asked for
  Assumptions assumptions;
  DeadlockPotential deadlocks;
  std::vector<UnnestedLock> unnested;
  std::vector<Difference> differences;  // by their begin
  std::vector<Counter> stats;
};

struct PredictOptions {
  std::vector<Method> methods = {Method::kCommitNode};
  Atomicity atomicity = Atomicity::kConflict;  // of commit-node; block is view, reduction conflict
  bool confirm = true;
  std::uint64_t budget = 50'000'000;    // events that the search for witnesses may schedule
  std::uint64_t max_work = 50'000'000;  // pairs that block-based may compare
  TreeOptions trees;
  // Called with each confirmed warning and an order of all events that is not serializable; says
  // where it was put.
  std::function<std::string(const Warning&, Method, std::span<const EventIndex> order)> on_witness;
};

Prediction predict(const LoadedTrace& trace, const PredictOptions& options);

}  // namespace omnium::predict
