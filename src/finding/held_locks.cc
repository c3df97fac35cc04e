// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "finding/held_locks.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "finding/explaining_steps.h"

namespace omnium {

std::vector<HeldLock> held_at(ThreadId thread, EventIndex index, const Excerpt& excerpt) {
  // Only what lies in one piece with the event counts: a release could hide in a gap.
  const EventIndex first =
      std::max(excerpt.known_since(index), index - std::min(index, 2 * kNeighbourhood));
  std::vector<HeldLock> held;  // an entry per acquire
  excerpt.visit_thread(thread, {first, index}, [&](EventIndex, const Event& event) {
    if (takes_lock(event.kind)) held.push_back({event.object, is_shared_side(event.kind)});
    if (!gives_lock_back(event.kind)) return;
    // A lock that is not there was taken before the piece.
    const auto taken = std::find_if(held.rbegin(), held.rend(),
                                    [&](const HeldLock& it) { return it.lock == event.object; });
    if (taken != held.rend()) held.erase(std::next(taken).base());
  });
  std::ranges::sort(held, {}, [](const HeldLock& it) { return std::pair(it.lock, it.shared); });
  const auto same = [](const HeldLock& a, const HeldLock& b) { return a.lock == b.lock; };
  held.erase(std::unique(held.begin(), held.end(), same), held.end());
  return held;
}

bool contains(const std::vector<HeldLock>& held, std::uint32_t lock) {
  return std::ranges::find(held, lock, &HeldLock::lock) != held.end();
}

}  // namespace omnium
