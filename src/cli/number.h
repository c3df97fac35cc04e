// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Numbers as people write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace omnium::cli {

// "500", "100K", "10M", "2G" (thousands of thousands ...), "1_000_000"; nothing for all else.
std::optional<std::uint64_t> parse_count(std::string_view text);

}  // namespace omnium::cli
