// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Accesses that no other unit can tell apart are one class: same variable, same locks, and for
// view-atomicity the same part in the unit. Inter-edges are decided between classes, never between
// events.
#pragma once

#include <span>
#include <vector>

#include "predict/access_tree.h"

namespace omnium::predict {

using ClassId = Id<struct ClassTag>;

// A read that sees this write unless another unit's write comes between.
struct Follower {
  PathId path;
  std::uint32_t enclosed;
  friend auto operator<=>(const Follower&, const Follower&) = default;
};

// Where a class occurs, by thread and period.
struct Occurrence {
  ThreadId thread;
  Period period;
  Position first_position;  // of the earliest unit
  Position last_position;   // of the latest unit
  UnitId first;
  UnitId last;
};

// The occurrences of a class in one thread.
struct ThreadSpan {
  ThreadId thread;
  std::size_t first;
  std::size_t count;
};

struct AccessClass {
  VarId variable;
  PathId path;
  bool write = false;
  // For view-atomicity only:
  bool unit_final = false;
  std::uint32_t enclosed = 0;
  std::vector<Follower> followers;      // sorted
  std::vector<Occurrence> occurrences;  // by thread, then period
  std::vector<ThreadSpan> spans;        // of the occurrences, by thread; only if there are many
};

class AccessClasses {
 public:
  AccessClasses(const Forest& forest, Atomicity atomicity);

  ClassId of(TreeId tree, std::size_t access) const { return class_of_[tree.v][access]; }
  const AccessClass& operator[](ClassId id) const { return classes_[id.v]; }
  std::size_t size() const { return classes_.size(); }
  // Classes of one variable.
  std::span<const std::vector<ClassId>> by_variable() const { return by_variable_; }

 private:
  void classify(const Forest& forest, Atomicity atomicity);
  void find_occurrences(const Forest& forest);

  std::vector<AccessClass> classes_;
  std::vector<std::vector<ClassId>> class_of_;  // tree, access
  std::vector<std::vector<ClassId>> by_variable_;
};

}  // namespace omnium::predict
