// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The numbers of workload/dice.h (SplitMix64), which is not for code inside programs.
#pragma once

#include <cstdint>

namespace omnium::runtime {

inline std::uint64_t mixed(std::uint64_t number) {
  number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9u;
  number = (number ^ (number >> 27)) * 0x94D049BB133111EBu;
  return number ^ (number >> 31);
}

class Dice {
 public:
  explicit constexpr Dice(std::uint64_t seed) : state_(seed) {}
  std::uint64_t throw_one() {
    state_ += 0x9E3779B97F4A7C15u;
    return mixed(state_);
  }
  std::uint32_t below(std::uint32_t limit) {
    return static_cast<std::uint32_t>((throw_one() >> 32) * limit >> 32);
  }

 private:
  std::uint64_t state_;
};

}  // namespace omnium::runtime
