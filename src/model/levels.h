// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The breadth-first levels of an exploration: level d holds the states whose shortest run has d
// events. A level is a stretch of numbers in each shard of the visited set, because states of level
// d arrive after all those of earlier levels.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/visited.h"

namespace omnium::model {

// States first to last (exclusive) of a shard: a piece of work.
struct Stretch {
  std::uint32_t shard;
  std::uint32_t first;
  std::uint32_t last;
};

class Levels {
 public:
  // Everything that was inserted since the last call is the next level.
  void close(const Visited& visited) {
    Sizes sizes;
    for (std::uint32_t i = 0; i < Visited::kShards; ++i) sizes[i] = visited.size_of(i);
    ends_.push_back(sizes);
  }

  std::size_t count() const { return ends_.size(); }

  // The level in pieces of at most `most` states.
  std::vector<Stretch> stretches(std::size_t level, std::uint32_t most) const {
    std::vector<Stretch> out;
    for (std::uint32_t shard = 0; shard < Visited::kShards; ++shard) {
      const std::uint32_t end = ends_[level][shard];
      for (std::uint32_t at = level == 0 ? 0 : ends_[level - 1][shard]; at < end;) {
        const std::uint32_t last = end - at > most ? at + most : end;
        out.push_back({shard, at, last});
        at = last;
      }
    }
    return out;
  }

 private:
  using Sizes = std::array<std::uint32_t, Visited::kShards>;
  std::vector<Sizes> ends_;
};

}  // namespace omnium::model
