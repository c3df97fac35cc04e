// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/location.h"

#include <charconv>

namespace omnium::report {

namespace {

// Takes ":44" from the end of `text`; 0 if there is none.
std::uint64_t take_number(std::string_view& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == text.size()) return 0;
  std::uint32_t number = 0;
  const auto [end, error] =
      std::from_chars(text.data() + colon + 1, text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0) return 0;
  text.remove_suffix(text.size() - colon);
  return number;
}

}  // namespace

Location parse_location(std::string_view text) {
  Location out;
  out.line = take_number(text);
  if (out.line == 0) return out;
  if (const std::uint64_t line = take_number(text); line != 0) {
    out.column = out.line;
    out.line = line;
  }
  out.file = text;
  return out;
}

std::string_view relative_to(std::string_view root, std::string_view file) {
  if (root.empty() || !file.starts_with(root)) return file;
  const std::string_view rest = file.substr(root.size());
  if (root.ends_with('/')) return rest;
  return rest.starts_with('/') ? rest.substr(1) : file;
}

}  // namespace omnium::report
