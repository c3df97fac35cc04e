// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/inter_edges.h"

#include <algorithm>

namespace omnium::predict {

InterEdges::InterEdges(const Forest& forest, const ThreadPeriods& periods, Atomicity atomicity)
    : forest_(forest), periods_(periods), classes_(forest, atomicity) {
  edges_.resize(classes_.size());
  for (const auto& classes : classes_.by_variable()) connect(classes, atomicity);
  for (auto& edges : edges_) {
    std::stable_sort(edges.begin(), edges.end(),
                     [](const ClassEdge& a, const ClassEdge& b) { return a.depth < b.depth; });
  }
}

// A read sees another unit's write unless a block of a common lock holds the read and a write of
// its own unit before it.
bool InterEdges::can_see(PathId read, std::uint32_t enclosed, PathId write) const {
  const int depth = forest_.paths.outermost_common(read, write);
  return depth == kNoBlock || static_cast<std::uint32_t>(depth) >= enclosed;
}

bool InterEdges::followed(const AccessClass& write, const AccessClass& other) const {
  return std::any_of(write.followers.begin(), write.followers.end(), [&](const Follower& read) {
    return can_see(read.path, read.enclosed, other.path);
  });
}

void InterEdges::connect(const std::vector<ClassId>& classes, Atomicity atomicity) {
  for (std::size_t i = 0; i < classes.size(); ++i) {
    for (std::size_t j = i; j < classes.size(); ++j) {
      const AccessClass& a = classes_[classes[i]];
      const AccessClass& b = classes_[classes[j]];
      if (!a.write && !b.write) continue;
      if (atomicity == Atomicity::kConflict) {
        add(classes[i], classes[j]);
      } else if (a.write != b.write) {
        const AccessClass& read = a.write ? b : a;
        const AccessClass& write = a.write ? a : b;
        if (can_see(read.path, read.enclosed, write.path)) add(classes[i], classes[j]);
      } else if ((a.unit_final && b.unit_final) || followed(a, b) || followed(b, a)) {
        add(classes[i], classes[j]);
      }
    }
  }
}

// Both sides must name a block of the same lock, also where locks are taken in different orders:
// the side that reads decides, or the smaller path.
void InterEdges::add(ClassId a, ClassId b) {
  const bool b_decides =
      classes_[a].write && (!classes_[b].write || classes_[b].path < classes_[a].path);
  const PathId decides = classes_[b_decides ? b : a].path;
  const PathId follows = classes_[b_decides ? a : b].path;
  const int depth = forest_.paths.outermost_common(decides, follows);
  const int other =
      depth == kNoBlock
          ? kNoBlock
          : forest_.paths.depth_of(follows,
                                   forest_.paths.locks(decides)[static_cast<std::size_t>(depth)]);
  const int depth_a = b_decides ? other : depth;
  const int depth_b = b_decides ? depth : other;
  edges_[a.v].push_back({b, depth_a});
  if (a != b) edges_[b.v].push_back({a, depth_b});
}

std::uint64_t InterEdges::count() const {
  std::uint64_t total = 0;
  for (const auto& edges : edges_) total += edges.size();
  return total;
}

}  // namespace omnium::predict
