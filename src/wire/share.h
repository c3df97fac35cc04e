// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which share of the blocks is judged, as people write it: a number of percent. `omnium run` and
// the program both read it, so nothing here allocates or throws.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace omnium::wire {

// Millionths.
using Share = std::uint32_t;
inline constexpr Share kWhole = 1'000'000;

// "1", "0.25": more than 0 and at most 100 percent, with at most four decimals.
constexpr std::optional<Share> parse_percent(std::string_view text) {
  constexpr int kDecimals = 4;
  Share value = 0;
  int decimals = -1;  // how many there were; -1: no point yet
  bool digits = false;
  for (const char c : text) {
    if (c == '.' && decimals < 0) {
      decimals = 0;
      continue;
    }
    if (c < '0' || c > '9' || decimals == kDecimals || value > kWhole) return std::nullopt;
    value = value * 10 + static_cast<Share>(c - '0');
    digits = true;
    if (decimals >= 0) ++decimals;
  }
  for (int i = decimals < 0 ? 0 : decimals; i < kDecimals; ++i) {
    if (value > kWhole) return std::nullopt;
    value *= 10;
  }
  if (!digits || value == 0 || value > kWhole) return std::nullopt;
  return value;
}

}  // namespace omnium::wire
