// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Locations of traces are free text; most of them are FILE:LINE or FILE:LINE:COLUMN.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace omnium::report {

struct SourcePlace {
  std::string_view file;
  std::uint32_t line = 0;
};

// "bank.cpp:44:3" -> bank.cpp, 44; nothing if there is no line number.
std::optional<SourcePlace> source_place(std::string_view location);

}  // namespace omnium::report
