// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Vector clocks over a growing set of threads: components that were never set are 0, so clocks of
// different lengths compare and join as if padded with zeros.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "event/event.h"

namespace omnium {

class VectorClock {
 public:
  using Time = std::uint64_t;

  Time operator[](ThreadId t) const { return t.v < times_.size() ? times_[t.v] : 0; }

  void set(ThreadId t, Time time) {
    if (t.v >= times_.size()) times_.resize(t.v + 1, 0);
    times_[t.v] = time;
  }

  // The join: the larger of each component.
  void join(const VectorClock& other) {
    if (times_.size() < other.times_.size()) times_.resize(other.times_.size(), 0);
    for (std::size_t i = 0; i < other.times_.size(); ++i) {
      times_[i] = std::max(times_[i], other.times_[i]);
    }
  }

  // No component is larger than the other clock's.
  bool before(const VectorClock& other) const {
    for (std::uint32_t i = 0; i < times_.size(); ++i) {
      if (times_[i] > other[ThreadId{i}]) return false;
    }
    return true;
  }

 private:
  std::vector<Time> times_;
};

}  // namespace omnium
