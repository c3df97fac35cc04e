// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/inter_edges.h"

#include <algorithm>

namespace omnium::predict {

namespace {

// With more classes of one variable, looking for common readers of each pair costs too much; then
// two writes count as joined, which can only add warnings.
constexpr std::size_t kManyClasses = 64;

}  // namespace

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

std::vector<UnitId> InterEdges::common_readers(const std::vector<ClassId>& classes,
                                               const AccessClass& a, const AccessClass& b) const {
  std::vector<UnitId> readers;
  for (const ClassId id : classes) {
    const AccessClass& read = classes_[id];
    if (read.write || !can_see(read.path, read.enclosed, a.path) ||
        !can_see(read.path, read.enclosed, b.path)) {
      continue;
    }
    for (const Occurrence& occurrence : read.occurrences) {
      if (occurrence.units > 2) return {occurrence.first, occurrence.first, occurrence.first};
      readers.push_back(occurrence.first);
      if (occurrence.units == 2) readers.push_back(occurrence.last);
    }
    std::sort(readers.begin(), readers.end());
    const bool copies = std::any_of(readers.begin(), readers.end(), [&](UnitId reader) {
      return forest_.units[reader.v].copies > 1;
    });
    if (!copies) readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
    if (readers.size() >= 3) break;
  }
  return readers;
}

void InterEdges::connect(const std::vector<ClassId>& classes, Atomicity atomicity) {
  for (std::size_t i = 0; i < classes.size(); ++i) {
    for (std::size_t j = i; j < classes.size(); ++j) {
      const AccessClass& a = classes_[classes[i]];
      const AccessClass& b = classes_[classes[j]];
      if (!a.write && !b.write) continue;
      if (atomicity == Atomicity::kConflict) {
        add(classes[i], classes[j], {});
      } else if (a.write != b.write) {
        const AccessClass& read = a.write ? b : a;
        const AccessClass& write = a.write ? a : b;
        if (can_see(read.path, read.enclosed, write.path)) add(classes[i], classes[j], {});
      } else if ((a.unit_final && b.unit_final) || followed(a, b) || followed(b, a) ||
                 classes.size() > kManyClasses) {
        add(classes[i], classes[j], {});
      } else {
        auto readers = common_readers(classes, a, b);
        if (readers.empty()) continue;
        if (readers.size() >= 3) readers.clear();
        add(classes[i], classes[j], std::move(readers));
      }
    }
  }
}

// Both sides must name a block of the same lock, also where locks are taken in different orders:
// the side that reads decides, or the smaller path.
void InterEdges::add(ClassId a, ClassId b, std::vector<UnitId> third_readers) {
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
  edges_[a.v].push_back({b, depth_a, depth_b, third_readers});
  if (a != b) edges_[b.v].push_back({a, depth_b, depth_a, std::move(third_readers)});
}

// Is one of the reads in neither of the two units?
bool InterEdges::through_third(const ClassEdge& edge, UnitId unit,
                               const Occurrence& occurrence) const {
  std::size_t others = 0;
  UnitId reader;
  for (const UnitId each : edge.third_readers) {
    if (each == unit && forest_.units[each.v].copies == 1) continue;
    ++others;
    reader = each;
  }
  if (others != 1) return others > 1;
  return occurrence.units > 1 || occurrence.first != reader;
}

std::uint64_t InterEdges::count() const {
  std::uint64_t total = 0;
  for (const auto& edges : edges_) total += edges.size();
  return total;
}

}  // namespace omnium::predict
