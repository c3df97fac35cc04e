// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "support/suggestion.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "support/display.h"

namespace omnium::support {

namespace {

// Names are short. A longer word is no misspelt one, and the table below is quadratic.
constexpr std::size_t kLongestWord = 40;
constexpr std::size_t kShortestPrefix = 2;

// So many mistakes are likely in a word of this length.
std::size_t likely_mistakes(std::size_t length) {
  return std::max<std::size_t>(1, (length + 1) / 3);
}

}  // namespace

std::size_t edit_distance(std::string_view from, std::string_view to) {
  // Rows of the usual table: of the prefix before the last, of the last one, and of this one.
  std::vector<std::size_t> before(to.size() + 1), last(to.size() + 1), now(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) now[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::swap(before, last);
    std::swap(last, now);
    now[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (from[i - 1] != to[j - 1]);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) now[j] = std::min(now[j], before[j - 2] + 1);
    }
  }
  return now[to.size()];
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> known) {
  if (word.empty() || word.size() > kLongestWord) return {};
  if (word.size() >= kShortestPrefix) {
    const auto starts = [&](std::string_view it) { return it.starts_with(word); };
    if (std::ranges::count_if(known, starts) == 1) return *std::ranges::find_if(known, starts);
  }
  std::string_view best;
  std::size_t fewest = likely_mistakes(word.size()) + 1;
  for (const std::string_view it : known) {
    const std::size_t edits = edit_distance(word, it);
    // A word of which no letter is left is another word.
    if (edits >= fewest || edits >= std::max(word.size(), it.size())) continue;
    fewest = edits;
    best = it;
  }
  return best;
}

std::string unknown(std::string_view what, std::string_view word,
                    std::span<const std::string_view> known) {
  const std::string start = fmt::format("unknown {} '{}'", what, terminal_text(word));
  const std::string_view meant = nearest(word, known);
  if (!meant.empty()) return fmt::format("{}; did you mean '{}'?", start, meant);
  return fmt::format("{} (choose from {})", start, fmt::join(known, ", "));
}

}  // namespace omnium::support
