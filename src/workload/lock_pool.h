// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which locks are free. A family reserves every lock of a script when it writes the script, and the
// interleaver gives each back when its release is played: so no thread ever waits or deadlocks, and
// a step costs O(1) however many threads there are.
#pragma once

#include <cstdint>
#include <vector>

#include "workload/dice.h"

namespace omnium::workload {

class LockPool {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  explicit LockPool(std::uint32_t locks) : reserved_(locks) {}

  std::uint32_t size() const { return static_cast<std::uint32_t>(reserved_.size()); }
  bool is_free(std::uint32_t m) const { return reserved_[m] == 0; }
  // Once per acquire of the script: a re-entrant lock is free again after its outermost release.
  void reserve(std::uint32_t m) { ++reserved_[m]; }
  void release(std::uint32_t m) { --reserved_[m]; }

  // Reserves a lock by chance; kNone if those looked at are taken.
  std::uint32_t reserve_any(Dice& dice) {
    for (int attempt = 0; attempt < 3; ++attempt) {
      const std::uint32_t m = dice.below(size());
      if (!is_free(m)) continue;
      reserve(m);
      return m;
    }
    return kNone;
  }

 private:
  std::vector<std::uint8_t> reserved_;
};

}  // namespace omnium::workload
