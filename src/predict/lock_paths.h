// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Lock sets. What a thread holds is a path: the locks in the order in which they were taken,
// outermost first, each with the side that is held. Paths are a trie, so that equal paths are equal
// ids.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "event/event.h"

namespace omnium::predict {

// A lock and which side of it is held.
using HeldLock = Id<struct HeldLockTag>;
constexpr HeldLock held_lock(LockId lock, bool shared) {
  return {lock.v << 1 | (shared ? 1u : 0u)};
}
constexpr LockId lock_of(HeldLock held) { return {held.v >> 1}; }
constexpr bool is_shared(HeldLock held) { return (held.v & 1) != 0; }
// Two threads cannot hold these at the same time.
constexpr bool exclude(HeldLock a, HeldLock b) {
  return lock_of(a) == lock_of(b) && !(is_shared(a) && is_shared(b));
}

using PathId = Id<struct PathTag>;
inline constexpr PathId kNoLocks{0};
inline constexpr int kNoBlock = -1;  // "no common lock": the access itself

class LockPaths {
 public:
  LockPaths();

  // `outer` and one more lock inside it.
  PathId extend(PathId outer, HeldLock lock);

  std::span<const HeldLock> locks(PathId path) const { return paths_[path.v]; }
  // Depth on the path (0 is outermost) of the lock that excludes `lock`, or kNoBlock.
  int depth_of(PathId path, HeldLock lock) const;
  // Depth on `path` of its outermost lock that excludes one of `other`, or kNoBlock.
  int outermost_common(PathId path, PathId other) const;
  std::size_t size() const { return paths_.size(); }

 private:
  std::vector<std::vector<HeldLock>> paths_;
  std::unordered_map<std::uint64_t, PathId> children_;  // (path, lock) -> longer path
};

}  // namespace omnium::predict
