// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "merge/specifications.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "support/text_file.h"

namespace omnium::merge {

namespace {

// As in every specification that Omnium writes.
constexpr std::string_view kFoundBelow = "# Blocks that were not atomic, found by ";

// Where the rules begin that were found last: a specification can be refined again and again. A
// block may have the same words in its name.
std::size_t found_below(std::string_view text) {
  std::size_t at = text.rfind(kFoundBelow);
  while (at != text.npos && at != 0 && text[at - 1] != '\n') at = text.rfind(kFoundBelow, at - 1);
  return at;
}

}  // namespace

Result<std::string> merged_specification(std::span<const std::string> texts,
                                         std::span<const std::string> paths) {
  std::string_view given, heading;
  std::map<std::string_view, std::string_view> found;  // rules and why they are there
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string_view text = texts[i];
    const std::size_t below = found_below(text);
    if (below == text.npos) return fail({paths[i]}, "is not a specification of omnium refine");
    if (i == 0) given = text.substr(0, below);
    if (text.substr(0, below) != given) {
      return fail({paths[i]}, fmt::format("has other rules than {} above those that omnium refine "
                                          "found: merge what was refined from one specification",
                                          printable(paths[0], 4096)));
    }
    const auto lines = support::lines_of(text.substr(below));
    if (i == 0 || lines.front() < heading) heading = lines.front();
    for (const std::string_view line : std::span(lines).subspan(1)) {
      const std::size_t comment = line.find("  # ");
      const auto rule = line.substr(0, comment);
      if (support::trimmed(rule).empty()) continue;
      const auto why = comment == line.npos ? std::string_view() : line.substr(comment);
      const auto [at, is_new] = found.emplace(rule, why);
      if (!is_new) at->second = std::min(at->second, why);
    }
  }
  std::string out = fmt::format("{}{}\n", given, heading);
  for (const auto& [rule, why] : found) out += fmt::format("{}{}\n", rule, why);
  return out;
}

}  // namespace omnium::merge
