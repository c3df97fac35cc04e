// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Random numbers that are the same on every machine: SplitMix64 (Steele, Lea, Flood: OOPSLA 2014).
// The distributions of the standard library differ between implementations. About 1 ns per number.
#pragma once

#include <cstdint>

namespace omnium::workload {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ull;
    std::uint64_t z = state_;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
  }

  // Evenly in [0, bound) up to one part in 2^32 / bound; bound > 0.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>((next() >> 32) * bound >> 32);
  }

  bool percent(std::uint32_t chance) { return below(100) < chance; }

 private:
  std::uint64_t state_;
};

}  // namespace omnium::workload
