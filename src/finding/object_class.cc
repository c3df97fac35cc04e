// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "finding/object_class.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace omnium {

namespace {

constexpr std::array<std::string_view, 14> kLibraryParts = {
    ".begin", ".end",   ".capacity",  ".size",      ".data",          ".buckets",    ".first",
    ".root",  ".has_value", ".use_count", ".weak_count", ".bucket_count", ".load_policy", ".map"};

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::size_t digits_from(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end - at;
}

// The length of `[41]`, ` #2` or `:31` that starts at the place, and what stays of it.
struct Number {
  std::size_t length = 0;
  std::string_view stays;
};
Number number_at(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (rest.starts_with('[')) {
    const std::size_t digits = digits_from(text, at + 1);
    const bool closes = digits != 0 && text.substr(at + 1 + digits).starts_with(']');
    return closes ? Number{digits + 2, "[]"} : Number{};
  }
  if (rest.starts_with(" #")) {
    const std::size_t digits = digits_from(text, at + 2);
    return digits != 0 ? Number{digits + 2, ""} : Number{};
  }
  // The line of a place. "::" is no line.
  if (rest.starts_with(':')) {
    const std::size_t digits = digits_from(text, at + 1);
    return digits != 0 ? Number{digits + 1, ""} : Number{};
  }
  return {};
}

// The length of the template arguments that start here; 0 if it is another `<`.
std::size_t arguments_at(std::string_view text, std::size_t at) {
  if (text[at] != '<' || at == 0) return 0;
  const char before = text[at - 1];
  if (std::isalnum(static_cast<unsigned char>(before)) == 0 && before != '_') return 0;
  if (text.substr(0, at).ends_with("operator")) return 0;
  std::size_t depth = 0;
  for (std::size_t i = at; i < text.size(); ++i) {
    if (text[i] == '<') ++depth;
    if (text[i] == '>' && --depth == 0) return i + 1 - at;
  }
  return 0;
}

}  // namespace

std::string object_class(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size();) {
    if (const Number number = number_at(name, i); number.length != 0) {
      out += number.stays;
      i += number.length;
    } else if (const std::size_t length = arguments_at(name, i); length != 0) {
      i += length;
    } else {
      out += name[i++];
    }
  }
  // A bucket is part of its table: "Cache::map_.buckets[]".
  std::string_view whole = out;
  if (whole.ends_with(".buckets[]")) whole.remove_suffix(2);
  const auto part = std::ranges::find_if(
      kLibraryParts, [&](std::string_view it) { return whole.ends_with(it) && whole != it; });
  if (part != kLibraryParts.end()) out.resize(whole.size() - part->size());
  return out;
}

}  // namespace omnium
