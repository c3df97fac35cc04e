// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A bit per place of the program, and for other places that happen to share it: one look says that
// a place is certainly not meant.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/state/code.h"

namespace omnium::runtime {

class PlaceFilter {
 public:
  void add(Pc pc) {
    bits_[bit(pc) / 64].fetch_or(std::uint64_t{1} << bit(pc) % 64, std::memory_order_relaxed);
  }
  bool may_contain(Pc pc) const {
    return (bits_[bit(pc) / 64].load(std::memory_order_relaxed) >> bit(pc) % 64 & 1) != 0;
  }

 private:
  static constexpr unsigned kPower = 14;
  static std::size_t bit(Pc pc) { return (pc * 0x9E3779B97F4A7C15u) >> (64 - kPower); }

  std::atomic<std::uint64_t> bits_[(1 << kPower) / 64];
};

}  // namespace omnium::runtime
