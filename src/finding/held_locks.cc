// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "finding/held_locks.h"

#include <algorithm>
#include <map>

#include "finding/explaining_steps.h"

namespace omnium {

std::set<std::uint32_t> held_at(ThreadId thread, EventIndex index, const Excerpt& excerpt) {
  // Only what lies in one piece with the event counts: a release could hide in a gap.
  const EventIndex first =
      std::max(excerpt.known_since(index), index - std::min(index, 2 * kNeighbourhood));
  std::map<std::uint32_t, int> depth;
  excerpt.visit_thread(thread, {first, index}, [&](EventIndex, const Event& event) {
    if (takes_lock(event.kind)) ++depth[event.object];
    // Below zero is a lock that was taken before the piece.
    if (gives_lock_back(event.kind)) depth[event.object] = std::max(0, depth[event.object] - 1);
  });
  std::set<std::uint32_t> held;
  for (const auto& [lock, count] : depth) {
    if (count > 0) held.insert(lock);
  }
  return held;
}

}  // namespace omnium
