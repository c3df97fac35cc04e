// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "support/shown_line.h"

#include <algorithm>

#include <fmt/format.h>

#include "support/display.h"
#include "support/utf8.h"

namespace omnium::support {

namespace {

// Shown of a line: so many cells, and the place not too far to the right.
constexpr std::size_t kWidestLine = 76, kFarthestPlace = 60;

// Where the character with this number, from 1, begins.
std::size_t byte_of(std::string_view line, std::uint64_t column) {
  std::size_t at = 0;
  for (std::uint64_t i = 1; i < column && at < line.size(); ++i) {
    at += std::max<std::size_t>(1, utf8_length(line.substr(at)));
  }
  return std::min(at, line.size());
}

std::string without_tabs(std::string_view text) {
  std::string out(text);
  std::replace(out.begin(), out.end(), '\t', ' ');
  return terminal_text(out);
}

}  // namespace

std::string shown_line(const Position& at, std::string_view text) {
  if (at.line == 0 || at.column == 0) return "";
  for (std::uint64_t i = 1; i < at.line; ++i) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return "";
    text.remove_prefix(end + 1);
  }
  std::string_view line = text.substr(0, text.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.empty()) return "";
  const std::size_t place = byte_of(line, at.column);
  std::string before = without_tabs(line.substr(0, place));
  if (display_width(before) > kFarthestPlace) {
    before = cut_front_to_width(before, kFarthestPlace);
  }
  const std::size_t width = display_width(before);
  const std::string after = cut_to_width(without_tabs(line.substr(place)), kWidestLine - width);
  return fmt::format("  {}{}\n  {}^\n", before, after, std::string(width, ' '));
}

}  // namespace omnium::support
