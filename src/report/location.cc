// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/location.h"

#include <charconv>

namespace omnium::report {

namespace {

// The number after the last colon, and what is before that.
std::optional<SourcePlace> last_number(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  SourcePlace place{text.substr(0, colon)};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, place.line);
  if (error != std::errc() || stop != end) return std::nullopt;
  return place;
}

}  // namespace

std::optional<SourcePlace> source_place(std::string_view location) {
  const auto place = last_number(location);
  if (!place) return std::nullopt;
  const auto without_column = last_number(place->file);
  return without_column ? without_column : place;
}

}  // namespace omnium::report
