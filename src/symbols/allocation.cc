// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "symbols/allocation.h"

#include <fmt/format.h>

namespace omnium::symbols {

namespace {

// Is the number spoken with a vowel first: eight..., eleven..., eighteen...?
bool takes_an(const std::string& digits) {
  const bool teen = digits.starts_with("11") || digits.starts_with("18");
  return digits.starts_with('8') || (teen && digits.size() % 3 == 2);
}

}  // namespace

std::string allocation_name(std::uint64_t bytes, std::string_view place) {
  const std::string digits = std::to_string(bytes);
  return fmt::format("{} {}-byte allocation{}{}", takes_an(digits) ? "an" : "a", digits,
                     place.empty() ? "" : " at ", place);
}

}  // namespace omnium::symbols
