// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// From which units of a thread can which units of another be reached, along inter-edges (either
// way) and program order, fork and join (forwards)?
//
// Program order makes this small: whoever reaches a unit reaches all later ones of its thread, so
// a set of reached units is one position per thread.
#pragma once

#include <vector>

#include "predict/inter_edges.h"

namespace omnium::predict {

inline constexpr Position kNotReached = ~Position{0};

class ThreadReach {
 public:
  // With more threads than this, everything counts as reachable.
  static constexpr std::size_t kManyThreads = 64;

  ThreadReach(const Forest& forest, const InterEdges& edges);

  // Lowers `reached` (per thread: the first unit reached) to what follows from it; never enters
  // `without`.
  void close(std::vector<Position>& reached, ThreadId without) const;

 private:
  struct Jump {
    Position from;  // units up to here ...
    Position to;    // ... reach this one of the other thread
  };
  using Jumps = std::vector<Jump>;

  Jumps& jumps(ThreadId from, ThreadId to) { return jumps_[from.v * threads_ + to.v]; }
  void add(ThreadId from, Position position, ThreadId to, Position landing);
  Position landing(const Jumps& jumps, Position position) const;

  std::size_t threads_;
  bool precise_;
  std::vector<Jumps> jumps_;
};

}  // namespace omnium::predict
