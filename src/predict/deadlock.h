// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Potential for deadlock: goodlock with guard locks and happens-before [Havelund 2000; Agarwal,
// Wang, Stoller 2005]. The theorems of commit-node assume its absence.
//
// Edge l -> m: a thread took m while it held l. A cycle is a potential deadlock if its edges are
// of different threads, no two of them held a common lock (a guard would keep them apart), and all
// of them can be at the same time. A cycle with a try (std::lock) is no deadlock of the program,
// which does something else if the try fails; but its recorded events are stuck there.
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
  bool tries_may_fail = false;                 // there is a cycle with a try
  bool complete = true;                        // false: the search was cut off, there may be more
  // No interleaving of the recorded events gets stuck.
  bool absent() const { return complete && cycles.empty() && !tries_may_fail; }
};

// `tried` has the lock that a signal with the name of a try belongs to, by signal (event/names.h);
// empty if there are no tries.
DeadlockPotential find_deadlocks(std::span<const Event> events, const Extent& extent,
                                 const ThreadPeriods& periods, std::span<const LockId> tried);

}  // namespace omnium::predict
