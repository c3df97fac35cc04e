// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "finding/object_class.h"

#include "finding/function_class.h"

namespace omnium {

namespace {

constexpr std::string_view kDigits = "0123456789";

// Takes the number away that stands between `before` and `after`, everywhere.
void drop_numbers(std::string& text, char before, std::string_view after) {
  for (std::size_t at = 0; (at = text.find(before, at)) != std::string::npos; ++at) {
    const std::size_t end = std::min(text.find_first_not_of(kDigits, at + 1), text.size());
    if (end == at + 1 || !std::string_view(text).substr(end).starts_with(after)) continue;
    text.erase(at + 1, end - at - 1);
  }
}

// "name #2" is "name".
void drop_number_at_end(std::string& text, std::string_view mark) {
  const std::size_t last = text.find_last_not_of(kDigits);
  if (last == std::string::npos || last + 1 == text.size() || last + 1 < mark.size()) return;
  const std::size_t begin = last + 1 - mark.size();
  if (std::string_view(text).substr(begin).starts_with(mark)) text.erase(begin);
}

}  // namespace

std::string object_class(std::string_view name) {
  if (name.starts_with("0x") || name.starts_with("unnamed ")) return "";
  std::string out = function_class(name);
  // "offset 1045092 of a 1048576-byte allocation at slabs.c:615": of a pool it differs every time.
  if (out.starts_with("offset ")) drop_numbers(out, ' ', "");
  drop_numbers(out, '[', "]");
  drop_number_at_end(out, " #");
  drop_number_at_end(out, "+");  // "print_desk+40": a part without a name
  drop_numbers(out, ':', "");    // the line of the place where it was allocated
  return out;
}

}  // namespace omnium
