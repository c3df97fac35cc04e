// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/thread_reach.h"

#include <algorithm>

namespace omnium::predict {

ThreadReach::ThreadReach(const Forest& forest, const InterEdges& edges)
    : threads_(forest.unit_counts.size()), precise_(threads_ <= kManyThreads) {
  if (!precise_) return;
  jumps_.resize(threads_ * threads_);
  std::vector<Position> nearest(threads_);
  for (std::uint32_t u = 0; u < forest.units.size(); ++u) {
    const Unit& unit = forest.units[u];
    std::fill(nearest.begin(), nearest.end(), kNotReached);
    for (std::size_t a = 0; a < forest.tree_of(unit).accesses.size(); ++a) {
      edges.for_each_partner(UnitId{u}, a, false, [&](const ClassEdge&, const Occurrence& there) {
        nearest[there.thread.v] = std::min(nearest[there.thread.v], there.first_position);
        return true;
      });
    }
    for (std::uint32_t t = 0; t < threads_; ++t) {
      if (nearest[t] != kNotReached) add(unit.thread(), unit.last_position, {t}, nearest[t]);
    }
  }
  for (const ThreadLink& link : forest.links) {
    const Position units = forest.unit_counts[link.child.v];
    if (units == 0) continue;
    if (link.fork) {
      add(link.parent, link.position, link.child, 0);
    } else {
      add(link.child, units - 1, link.parent, link.position);
    }
  }
  // A signal may come before every await of its channel, whatever was recorded first.
  for (const Channel& channel : forest.channels) {
    for (const ChannelUse& signal : channel.signallers) {
      for (const ChannelUse& await : channel.awaiters) {
        if (signal.thread != await.thread)
          add(signal.thread, signal.last, await.thread, await.first);
      }
    }
  }
  for (Jumps& all : jumps_) {
    std::sort(all.begin(), all.end(), [](const Jump& a, const Jump& b) { return a.from < b.from; });
    for (std::size_t i = all.size(); i-- > 1;) all[i - 1].to = std::min(all[i - 1].to, all[i].to);
  }
}

void ThreadReach::add(ThreadId from, Position position, ThreadId to, Position landing) {
  Jumps& all = jumps(from, to);
  // Units mostly come in the order of their positions; a jump that goes no farther adds nothing.
  while (!all.empty() && all.back().from <= position && all.back().to >= landing) all.pop_back();
  all.push_back({position, landing});
}

Position ThreadReach::landing(const Jumps& jumps, Position position) const {
  const auto jump = std::lower_bound(jumps.begin(), jumps.end(), position,
                                     [](const Jump& each, Position at) { return each.from < at; });
  return jump == jumps.end() ? kNotReached : jump->to;
}

void ThreadReach::close(std::vector<Position>& reached, ThreadId without) const {
  if (!precise_) {
    std::fill(reached.begin(), reached.end(), 0);
    return;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t from = 0; from < threads_; ++from) {
      if (reached[from] == kNotReached || ThreadId{from} == without) continue;
      for (std::uint32_t to = 0; to < threads_; ++to) {
        if (to == from || ThreadId{to} == without) continue;
        const Position at = landing(jumps_[from * threads_ + to], reached[from]);
        if (at >= reached[to]) continue;
        reached[to] = at;
        changed = true;
      }
    }
  }
}

}  // namespace omnium::predict
