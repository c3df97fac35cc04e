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

#include <algorithm>
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

  // Calls visit(edge, occurrence) for each thread with accesses that are joined to this one, once
  // or a few times per edge, with the first and the last of them; stops when visit returns false.
  // `leaving`: the
  // unit goes on behind the access, so that an atomic read sees what it saw.
  template <class Visit>
  void for_each_partner(UnitId unit, std::size_t access, bool leaving, Visit&& visit) const;

  // The same for one edge, and an access in period `period` that knows what is known in `knowing`.
  template <class Visit>
  bool for_each_partner(ThreadId thread, Period period, Period knowing, const ClassEdge& edge,
                        Visit&& visit) const;

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
bool InterEdges::for_each_partner(ThreadId thread, Period period, Period knowing,
                                  const ClassEdge& edge, Visit&& visit) const {
  const AccessClass& other = classes_[edge.other];
  // A class that occurs a few times has no spans: looking at each is quicker.
  ThreadId ranged;
  PeriodRange few;
  const std::span<const Occurrence> all_of_few(other.occurrences.data(),
                                               other.spans.empty() ? other.occurrences.size() : 0);
  for (const Occurrence& there : all_of_few) {
    if (there.thread == thread) continue;
    if (there.thread != ranged) few = periods_.concurrent(thread, period, knowing, there.thread);
    ranged = there.thread;
    if (there.period < few.first || there.period >= few.last) continue;
    if (!visit(edge, there)) return false;
  }
  for (const ThreadSpan& span : other.spans) {
    if (span.thread == thread) continue;
    const PeriodRange range = periods_.concurrent(thread, period, knowing, span.thread);
    const auto all = std::span(other.occurrences).subspan(span.first, span.count);
    const auto first = std::ranges::lower_bound(all, range.first, {}, &Occurrence::period);
    const auto last = std::ranges::lower_bound(all, range.last, {}, &Occurrence::period);
    if (first >= last) continue;
    Occurrence joined = *first;
    joined.last_position = std::prev(last)->last_position;
    joined.last = std::prev(last)->last;
    if (!visit(edge, joined)) return false;
  }
  return true;
}

template <class Visit>
void InterEdges::for_each_partner(UnitId unit_id, std::size_t access, bool leaving,
                                  Visit&& visit) const {
  const Unit& unit = forest_.units[unit_id.v];
  const Access& mine = forest_.tree_of(unit).accesses[access];
  const Period period = unit.period + mine.period;
  const Period knowing = period + (leaving && mine.learns ? 1 : 0);
  for (const ClassEdge& edge : edges(classes_.of(unit.tree, access))) {
    if (!for_each_partner(unit.thread(), period, knowing, edge, visit)) return;
  }
}

}  // namespace omnium::predict
