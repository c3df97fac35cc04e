// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "finding/held_locks.h"

#include <algorithm>
#include <map>

#include "finding/explaining_steps.h"

namespace omnium {

namespace {

std::set<std::uint32_t> held(ThreadId thread, EventIndex index, const Excerpt& excerpt,
                             bool shared_too) {
  // Only what lies in one piece with the event counts: a release could hide in a gap.
  const EventIndex first =
      std::max(excerpt.known_since(index), index - std::min(index, 2 * kNeighbourhood));
  std::map<std::uint32_t, int> depth;
  excerpt.visit_thread(thread, {first, index}, [&](EventIndex, const Event& event) {
    if (is_shared_side(event.kind) && !shared_too) return;
    if (takes_lock(event.kind)) ++depth[event.object];
    // Below zero is a lock that was taken before the piece.
    if (gives_lock_back(event.kind)) depth[event.object] = std::max(0, depth[event.object] - 1);
  });
  std::set<std::uint32_t> locks;
  for (const auto& [lock, count] : depth) {
    if (count > 0) locks.insert(lock);
  }
  return locks;
}

}  // namespace

std::set<std::uint32_t> held_at(ThreadId thread, EventIndex index, const Excerpt& excerpt) {
  return held(thread, index, excerpt, true);
}

std::set<std::uint32_t> held_alone_at(ThreadId thread, EventIndex index, const Excerpt& excerpt) {
  return held(thread, index, excerpt, false);
}

}  // namespace omnium
