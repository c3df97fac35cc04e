// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "merge/json_scan.h"

#include <cstring>

namespace omnium::merge {

namespace {

std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (std::size_t from = at + 1; from < text.size();) {
    const void* found = std::memchr(text.data() + from, '"', text.size() - from);
    if (found == nullptr) return kNowhere;
    const auto quote = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    std::size_t slashes = 0;
    while (text[quote - 1 - slashes] == '\\') ++slashes;
    if (slashes % 2 == 0) return quote + 1;
    from = quote + 1;
  }
  return kNowhere;
}

// Of an object or an array. Brackets of both kinds are counted together: what they enclose is
// looked at when somebody wants it.
std::size_t end_of_brackets(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  while (at < text.size()) {
    switch (text[at]) {
      case '"':
        at = end_of_string(text, at);
        if (at == kNowhere) return kNowhere;
        continue;
      case '{':
      case '[':
        ++depth;
        break;
      case '}':
      case ']':
        if (--depth == 0) return at + 1;
        break;
      default:
        break;
    }
    ++at;
  }
  return kNowhere;
}

}  // namespace

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r'))) ++at;
  return at;
}

std::size_t end_of_value(std::string_view text, std::size_t at) {
  if (at >= text.size()) return kNowhere;
  if (text[at] == '"') return end_of_string(text, at);
  if (text[at] == '{' || text[at] == '[') return end_of_brackets(text, at);
  const std::size_t end = text.find_first_of(",]} \t\r\n", at);
  return end == at ? kNowhere : end == std::string_view::npos ? text.size() : end;
}

}  // namespace omnium::merge
