// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Races of the conflict-forest; and race information for reduction: Eraser's lock sets, with
// happens-before by fork and join in place of Eraser's guess that initialization is over.
//
// An access that no other thread's access of the variable can overlap in time is ordered. The
// candidate set C(x) is what all other accesses of x held in common. If it is empty, and two of
// them conflict, they all race, as Eraser has it: it blames the variable, not the pair.
#pragma once

#include <span>
#include <vector>

#include "event/event.h"
#include "predict/inter_edges.h"

namespace omnium::predict {

class Races {
 public:
  // Edges of the conflict-forest.
  Races(const Forest& forest, const ThreadPeriods& periods, const InterEdges& edges);

  // May this access be moved past other threads' events?
  bool race_free(UnitId unit, std::size_t access) const;
  std::uint64_t racy_variables() const;
  // Sum of the sizes of all candidate sets.
  std::uint64_t lock_set_sizes() const;

 private:
  struct Variable {
    bool overlapping = false;        // some access is not ordered
    bool contended = false;          // some conflicting accesses are not ordered
    std::vector<LockId> candidates;  // C(x)
  };
  bool ordered(UnitId unit, std::size_t access) const;
  bool racy(const Variable& variable) const;

  const Forest& forest_;
  const ThreadPeriods& periods_;
  const InterEdges& edges_;
  std::vector<Variable> variables_;
};

// Two accesses of a variable that could come at the same time.
struct RacingAccesses {
  VarId variable;
  EventIndex first, second;  // in the trace
};

// [Wang, Stoller 3.2.1] "Each access node with incident inter-edges indicates a data race": no lock
// is held at both accesses, and at least one of them is not atomic. One pair for each variable and
// two places, by the first event.
std::vector<RacingAccesses> find_races(const Forest& forest, const InterEdges& edges,
                                       std::span<const Event> events);

}  // namespace omnium::predict
