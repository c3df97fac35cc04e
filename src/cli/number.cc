// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/number.h"

namespace omnium::cli {

std::optional<std::uint64_t> parse_count(std::string_view text) {
  std::uint64_t factor = 1;
  if (!text.empty()) {
    switch (text.back()) {
      case 'k':
      case 'K': factor = 1'000; break;
      case 'm':
      case 'M': factor = 1'000'000; break;
      case 'g':
      case 'G': factor = 1'000'000'000; break;
      default: break;
    }
  }
  if (factor != 1) text.remove_suffix(1);
  if (text.empty() || text.front() == '_') return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    if (c == '_') continue;
    if (c < '0' || c > '9') return std::nullopt;
    if (__builtin_mul_overflow(value, 10, &value)) return std::nullopt;
    if (__builtin_add_overflow(value, static_cast<std::uint64_t>(c - '0'), &value)) {
      return std::nullopt;
    }
  }
  if (__builtin_mul_overflow(value, factor, &value)) return std::nullopt;
  return value;
}

}  // namespace omnium::cli
