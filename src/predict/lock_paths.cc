// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/lock_paths.h"

namespace omnium::predict {

LockPaths::LockPaths() : paths_(1) {}

PathId LockPaths::extend(PathId outer, HeldLock lock) {
  const auto key = std::uint64_t{outer.v} << 32 | lock.v;
  const auto [child, fresh] =
      children_.try_emplace(key, PathId{static_cast<std::uint32_t>(paths_.size())});
  if (fresh) {
    std::vector<HeldLock> path = paths_[outer.v];
    path.push_back(lock);
    paths_.push_back(std::move(path));
  }
  return child->second;
}

int LockPaths::depth_of(PathId path, HeldLock lock) const {
  const auto& locks = paths_[path.v];
  for (std::size_t i = 0; i < locks.size(); ++i) {
    if (exclude(locks[i], lock)) return static_cast<int>(i);
  }
  return kNoBlock;
}

int LockPaths::outermost_common(PathId path, PathId other) const {
  const auto& locks = paths_[path.v];
  for (std::size_t i = 0; i < locks.size(); ++i) {
    if (depth_of(other, locks[i]) != kNoBlock) return static_cast<int>(i);
  }
  return kNoBlock;
}

}  // namespace omnium::predict
