// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "assembler/line.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>

namespace omnium::assembler {

namespace {

constexpr std::string_view kLetters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$";

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> starts) {
  return std::ranges::any_of(starts, [&](auto start) { return text.starts_with(start); });
}

}  // namespace

bool take(std::string_view& text, std::string_view start) {
  if (!text.starts_with(start)) return false;
  text.remove_prefix(start.size());
  return true;
}

bool take_blanks(std::string_view& text) {
  const std::size_t count = std::min(text.find_first_not_of("\t "), text.size());
  text.remove_prefix(count);
  return count > 0;
}

std::optional<std::string_view> function_called(std::string_view line) {
  take_blanks(line);
  if (!take(line, "call")) return std::nullopt;
  take(line, "q");
  if (!take_blanks(line)) return std::nullopt;
  const bool indirect = take(line, "*");
  const std::size_t end = std::min(line.find_first_not_of(kLetters), line.size());
  const std::string_view name = line.substr(0, end);
  line.remove_prefix(end);
  if (indirect ? !take(line, "@GOTPCREL(%rip)") : !take(line, "@PLT") && !line.empty()) {
    return std::nullopt;
  }
  take_blanks(line);
  return line.empty() ? std::optional(name) : std::nullopt;
}

std::optional<std::string_view> callback_called(std::string_view line) {
  auto name = function_called(line);
  if (!name || !take(*name, kPrefix)) return std::nullopt;
  return name;
}

bool sets_second_argument(std::string_view line) {
  return line.find("%rsi") != std::string_view::npos || line.find("%esi") != std::string_view::npos;
}

std::optional<unsigned> second_argument(std::string_view line) {
  take_blanks(line);
  if (!take(line, "movl") || !take_blanks(line) || !take(line, "$")) return std::nullopt;
  unsigned value = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  if (error != std::errc() || !take(line, ",")) return std::nullopt;
  take_blanks(line);
  return line == "%esi" ? std::optional(value) : std::nullopt;
}

bool ends_straight_code(std::string_view line) {
  // Those of gcc. (clang has jumps to .LBB1_2, and to .Ltmp labels if their address is taken.)
  if (starts_with_any(line, {".LVL", ".LBB", ".LBE", ".LBI", ".LEHB", ".LEHE"})) {
    return line.find('_') != std::string_view::npos;
  }
  take_blanks(line);
  if (line.empty()) return false;
  // gcc and clang write these around the code of `asm` statements, which may jump.
  if (line.front() == '#') return starts_with_any(line, {"#APP", "#NO_APP"});
  if (line.front() == '.') return !starts_with_any(line, {".loc\t", ".loc ", ".cfi_"});
  if (line.substr(0, line.find_first_of("\t \"#")).ends_with(':')) return true;
  return starts_with_any(line, {"call", "j", "ret", "loop", "rep", "notrack", "bnd", "ud", "hlt",
                                "int", "sys", "xbegin"});
}

}  // namespace omnium::assembler
