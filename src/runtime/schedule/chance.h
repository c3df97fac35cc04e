// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What the ways that rely on chance have in common: seeds, dice, and visits of places.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/schedule/dice.h"
#include "runtime/state/code.h"
#include "runtime/system/options.h"

namespace omnium::runtime {

// A number from an option. Ends the program if it is none.
inline std::uint64_t seed_of(const char* what, const char* text) {
  std::uint64_t number = 0;
  for (const char* digit = text; *digit != '\0'; ++digit) {
    if (*digit < '0' || *digit > '9') refuse_value(what, text);
    number = number * 10 + static_cast<std::uint64_t>(*digit - '0');
  }
  return number;
}

// How often each place was visited. Places may share a counter.
class Visits {
 public:
  // How often before.
  std::uint32_t count(Pc pc) {
    auto& counter = counters_[(pc * 0x9E3779B97F4A7C15u) >> 52];
    const std::uint16_t count = counter.load(std::memory_order_relaxed);
    if (count < 0xffff) {
      counter.store(static_cast<std::uint16_t>(count + 1), std::memory_order_relaxed);
    }
    return count;
  }

 private:
  std::atomic<std::uint16_t> counters_[1 << 12];
};

}  // namespace omnium::runtime
