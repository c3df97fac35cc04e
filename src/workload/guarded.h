// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Variables divided among locks: lock m guards base + m, base + m + locks, ... Accesses of several
// families.
#pragma once

#include <algorithm>
#include <cstdint>

#include "workload/dice.h"
#include "workload/script.h"

namespace omnium::workload {

class Guarded {
 public:
  // Variables [base, base + count). With more locks than variables only the first `count` are of
  // use.
  Guarded(std::uint32_t base, std::uint32_t count, std::uint32_t locks)
      : base_(base), locks_(std::min(locks, count)), per_lock_(locks_ == 0 ? 0 : count / locks_) {}

  std::uint32_t locks() const { return locks_; }

  // One of the variables that `m` guards.
  std::uint32_t variable(std::uint32_t m, Dice& dice) const {
    return base_ + m + locks_ * dice.below(per_lock_);
  }

  // `count` accesses of variables that `m` guards, about half of them writes.
  void access(Script& script, std::uint32_t m, std::uint32_t count, Dice& dice) const {
    std::uint64_t bits = dice.next();
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint64_t pick = (bits >> 32) * per_lock_ >> 32;
      script.access(base_ + m + locks_ * static_cast<std::uint32_t>(pick), bits >> 31);
      bits = bits * 0xd1342543de82ef95ull + 1;
    }
  }

 private:
  std::uint32_t base_;
  std::uint32_t locks_;
  std::uint32_t per_lock_;
};

}  // namespace omnium::workload
