// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Places in a program, as machines want them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace omnium::report {

// "bank.cpp:44:3" in parts.
struct Location {
  std::string_view file;  // empty if the text has no line number
  std::uint64_t line = 0, column = 0;
};
Location parse_location(std::string_view text);

// `file` below `root` without it; other files as they are. `root` is an absolute path, or empty.
std::string_view relative_to(std::string_view root, std::string_view file);

}  // namespace omnium::report
