// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Inter-edges [Wang, Stoller figures 3 and 5], between classes of accesses.
//
// Two conflicting accesses that share a lock can only be swapped together with the blocks of that
// lock, so the edge goes between those blocks: the outermost common lock decides. Without a common
// lock it goes between the accesses.
//
// Conflict-forest: every two accesses of one variable, one of them a write.
// View-forest: a read and a write that it can see; two writes that are the last of their units; a
// write and another unit's write that a read behind the first can see as well. (Figure 5 joins all
// writes that one read can see; docs/algorithms/commit-node.md#view says why these are enough.)
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "predict/access_classes.h"
#include "predict/thread_periods.h"

namespace omnium::predict {

// One side of an edge between two classes.
struct ClassEdge {
  ClassId other;
  int depth;  // of the block on this side's path; kNoBlock: the access itself
};

class InterEdges {
 public:
  InterEdges(const Forest& forest, const ThreadPeriods& periods, Atomicity atomicity);

  const AccessClasses& classes() const { return classes_; }
  std::span<const ClassEdge> edges(ClassId id) const { return edges_[id.v]; }

  // Calls visit(edge, occurrence) for each place where another thread's access is joined to this
  // one; stops when visit returns false.
  template <class Visit>
  void for_each_partner(UnitId unit, std::size_t access, Visit&& visit) const;

  // The same for one edge.
  template <class Visit>
  bool for_each_partner(UnitId unit, Period period, const ClassEdge& edge, Visit&& visit) const;

  std::uint64_t count() const;

 private:
  void connect(const std::vector<ClassId>& classes, Atomicity atomicity);
  void add(ClassId a, ClassId b);
  bool can_see(PathId read, std::uint32_t enclosed, PathId write) const;
  bool followed(const AccessClass& write, const AccessClass& other) const;

  const Forest& forest_;
  const ThreadPeriods& periods_;
  AccessClasses classes_;
  std::vector<std::vector<ClassEdge>> edges_;
};

template <class Visit>
bool InterEdges::for_each_partner(UnitId unit_id, Period period, const ClassEdge& edge,
                                  Visit&& visit) const {
  const ThreadId thread = forest_.units[unit_id.v].thread();
  const auto& occurrences = classes_[edge.other].occurrences;
  PeriodRange range;
  ThreadId ranged;
  for (const Occurrence& occurrence : occurrences) {
    if (occurrence.thread == thread) continue;
    if (occurrence.thread != ranged) {
      ranged = occurrence.thread;
      range = periods_.concurrent(thread, period, ranged);
    }
    if (occurrence.period < range.first || occurrence.period >= range.last) continue;
    if (!visit(edge, occurrence)) return false;
  }
  return true;
}

template <class Visit>
void InterEdges::for_each_partner(UnitId unit_id, std::size_t access, Visit&& visit) const {
  const Unit& unit = forest_.units[unit_id.v];
  const Period period = unit.period + forest_.tree_of(unit).accesses[access].period;
  for (const ClassEdge& edge : edges(classes_.of(unit.tree, access))) {
    if (!for_each_partner(unit_id, period, edge, visit)) return;
  }
}

}  // namespace omnium::predict
