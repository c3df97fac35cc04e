// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Lock sets. What a thread holds is a path: the locks in the order in which they were taken,
// outermost first. Paths are a trie, so that equal paths are equal ids.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "event/event.h"

namespace omnium::predict {

using PathId = Id<struct PathTag>;
inline constexpr PathId kNoLocks{0};
inline constexpr int kNoBlock = -1;  // "no common lock": the access itself

class LockPaths {
 public:
  LockPaths();

  // `outer` and one more lock inside it.
  PathId extend(PathId outer, LockId lock);

  std::span<const LockId> locks(PathId path) const { return paths_[path.v]; }
  // Depth of `lock` on the path (0 is outermost), or kNoBlock.
  int depth_of(PathId path, LockId lock) const;
  // Depth on `path` of its outermost lock that `other` holds too, or kNoBlock.
  int outermost_common(PathId path, PathId other) const;
  std::size_t size() const { return paths_.size(); }

 private:
  std::vector<std::vector<LockId>> paths_;
  std::unordered_map<std::uint64_t, PathId> children_;  // (path, lock) -> longer path
};

}  // namespace omnium::predict
