// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Potential for deadlock: goodlock with guard locks and happens-before [Havelund 2000; Agarwal,
// Wang, Stoller 2005]. The theorems of commit-node assume its absence.
//
// Edge l -> m: a thread took m while it held l. A cycle is a potential deadlock if its edges are
// of different threads, no two of them held a common lock (a guard would keep them apart), and all
// of them can be at the same time.
#pragma once

#include <span>
#include <vector>

#include "predict/thread_periods.h"

namespace omnium::predict {

struct LockOrder {
  LockId outer;
  LockId inner;
  ThreadId thread;
  EventIndex outer_at;  // where the outer lock was taken
  EventIndex inner_at;  // where the inner lock was asked for
};

struct DeadlockPotential {
  std::vector<std::vector<LockOrder>> cycles;  // each edge's inner lock is the next one's outer
  bool complete = true;                        // false: the search was cut off, there may be more
  bool absent() const { return complete && cycles.empty(); }
};

DeadlockPotential find_deadlocks(std::span<const Event> events, const Extent& extent,
                                 const ThreadPeriods& periods);

}  // namespace omnium::predict
