// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// JSON as text: where values begin and end, without a tree. Merging reads gigabytes of which it
// keeps little, so most values are only stepped over.
//
// Positions are offsets into the text; kNowhere means that it is no JSON there. Functions that read
// a list call `take(..., at)` with the position of each value and go on where it says that the
// value ends.
#pragma once

#include <cstddef>
#include <string_view>

namespace omnium::merge {

inline constexpr std::size_t kNowhere = std::string_view::npos;

std::size_t skip_blanks(std::string_view text, std::size_t at);

// The end of the value that begins at `at`.
std::size_t end_of_value(std::string_view text, std::size_t at);

// The value at `at` as text; empty if it is none.
inline std::string_view value_at(std::string_view text, std::size_t at) {
  const std::size_t end = end_of_value(text, at);
  return end == kNowhere ? std::string_view() : text.substr(at, end - at);
}

// What follows a value in a list that ends with `close`: the position of the next one, or the end
// of the list, with `done` set.
inline std::size_t next_in_list(std::string_view text, std::size_t at, char close, bool& done) {
  if (at == kNowhere || (at = skip_blanks(text, at)) >= text.size()) return kNowhere;
  done = text[at] == close;
  if (!done && text[at] != ',') return kNowhere;
  return done ? at + 1 : skip_blanks(text, at + 1);
}

// The end of the array at `at`.
template <class Take>
std::size_t for_each_element(std::string_view text, std::size_t at, Take&& take) {
  if (at >= text.size() || text[at] != '[') return kNowhere;
  at = skip_blanks(text, at + 1);
  if (at < text.size() && text[at] == ']') return at + 1;
  for (bool done = false; !done && at != kNowhere;) {
    at = next_in_list(text, take(at), ']', done);
  }
  return at;
}

// The same of an object, with keys as they are spelled between the quotes.
template <class Take>
std::size_t for_each_member(std::string_view text, std::size_t at, Take&& take) {
  if (at >= text.size() || text[at] != '{') return kNowhere;
  at = skip_blanks(text, at + 1);
  if (at < text.size() && text[at] == '}') return at + 1;
  for (bool done = false; !done && at != kNowhere;) {
    const std::string_view key = value_at(text, at);
    if (key.size() < 2 || key.front() != '"') return kNowhere;
    at = skip_blanks(text, at + key.size());
    if (at >= text.size() || text[at] != ':') return kNowhere;
    at = skip_blanks(text, at + 1);
    at = next_in_list(text, take(key.substr(1, key.size() - 2), at), '}', done);
  }
  return at;
}

}  // namespace omnium::merge
