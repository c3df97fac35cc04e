// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/specification.h"

#include <fmt/format.h>

#include "support/text_file.h"

namespace omnium {

namespace {

// Does the character that `glob` has at `at` match `c`? `width` is how many bytes of the glob it
// takes.
bool matches_one(std::string_view glob, std::size_t at, char c, std::size_t& width) {
  const bool escaped = glob[at] == '\\' && at + 1 < glob.size();
  width = escaped ? 2 : 1;
  return escaped ? glob[at + 1] == c : glob[at] == '?' || glob[at] == c;
}

// A comment starts the line or follows a blank.
std::string_view without_comment(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '#' && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t')) {
      return line.substr(0, i);
    }
  }
  return line;
}

}  // namespace

// Greedy with one point of return: linear in text times the longest run between stars.
bool glob_match(std::string_view glob, std::string_view text) {
  std::size_t g = 0, t = 0, width = 0;
  std::size_t star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      resume = t;
    } else if (g < glob.size() && matches_one(glob, g, text[t], width)) {
      g += width;
      ++t;
    } else if (star != std::string_view::npos) {
      g = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return glob.find_first_not_of('*', g) == std::string_view::npos;
}

std::string glob_for(std::string_view text) {
  std::string glob;
  for (const char c : text) {
    if (c == '*' || c == '?' || c == '\\' || c == '#') glob += '\\';
    glob += c;
  }
  return glob;
}

Result<void> Specification::read_file(const std::string& path) {
  const auto text = support::read_text_file(path);
  if (!text) return tl::unexpected(text.error());
  std::uint64_t number = 0;
  for (const std::string_view line : support::lines_of(*text)) {
    ++number;
    const std::string_view rule = support::trimmed(without_comment(line));
    if (rule.empty()) continue;
    const std::size_t blank = rule.find_first_of(" \t");
    const std::string_view verb = rule.substr(0, blank);
    if (blank == std::string_view::npos || (verb != "atomic" && verb != "not-atomic")) {
      return fail(
          {path, number, 1},
          fmt::format("expected 'atomic GLOB' or 'not-atomic GLOB', got '{}'", printable(rule)));
    }
    rules_.push_back({std::string(support::trimmed(rule.substr(blank))), verb == "atomic"});
    lists_atomic_ |= rules_.back().atomic;
  }
  return {};
}

Result<void> Specification::read_exclusions(const std::string& path) {
  const auto text = support::read_text_file(path);
  if (!text) return tl::unexpected(text.error());
  for (const std::string_view line : support::lines_of(*text)) {
    const std::string_view name = support::trimmed(line);
    if (name.empty()) continue;
    rules_.push_back({fmt::format("*{}*", glob_for(name)), false});
  }
  return {};
}

void Specification::exclude(std::string_view label) { rules_.push_back({glob_for(label), false}); }

void Specification::append(const Specification& other) {
  rules_.insert(rules_.end(), other.rules_.begin(), other.rules_.end());
  lists_atomic_ |= other.lists_atomic_;
}

bool Specification::atomic(std::string_view label) const {
  for (std::size_t i = rules_.size(); i-- > 0;) {
    if (glob_match(rules_[i].glob, label)) return rules_[i].atomic;
  }
  return !lists_atomic_;
}

}  // namespace omnium
