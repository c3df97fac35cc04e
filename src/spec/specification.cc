// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/specification.h"

#include <algorithm>

#include <fmt/format.h>

#include "support/display.h"
#include "support/text_file.h"
#include "support/utf8.h"

namespace omnium {

std::string glob_for(std::string_view text) {
  std::string glob;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_end = i == 0 || i + 1 == text.size();
    // A rule is a line without blanks at its ends.
    if (static_cast<unsigned char>(c) < ' ' || (c == ' ' && is_end)) {
      glob += '?';
      continue;
    }
    if (c == '*' || c == '?' || c == '\\' || c == '#') glob += '\\';
    glob += c;
  }
  return glob;
}

std::string not_atomic_rule(std::string_view label) {
  if (label.empty()) return "";
  std::string shown(label);
  if (support::terminal_text(label) == label) return "not-atomic " + glob_for(shown);
  for (std::size_t at = 0; at < shown.size();) {
    const std::string_view rest = std::string_view(shown).substr(at);
    const std::size_t bytes = std::max<std::size_t>(support::utf8_length(rest), 1);
    const std::string_view character = rest.substr(0, bytes);
    // For a control character, glob_for() lets the rule match any.
    if (support::terminal_text(character) != character) shown.replace(at, bytes, bytes, '\x01');
    at += bytes;
  }
  return "not-atomic " + glob_for(shown);
}

Result<void> Specification::read_file(const std::string& path) {
  const auto text = support::read_text_file(path);
  if (!text) return tl::unexpected(text.error());
  std::uint64_t number = 0;
  for (const std::string_view line : support::lines_of(*text)) {
    ++number;
    const RuleLine rule = read_rule(line);
    if (rule.kind == RuleLine::Kind::kEmpty) continue;
    if (rule.kind == RuleLine::Kind::kWrong) {
      return fail({path, number, 1},
                  fmt::format("expected 'atomic GLOB' or 'not-atomic GLOB', got '{}'",
                              printable(rule.text)));
    }
    rules_.push_back({std::string(rule.glob), rule.atomic, {path, number}});
    lists_atomic_ |= rule.atomic;
  }
  return {};
}

Result<void> Specification::read_exclusions(const std::string& path) {
  const auto text = support::read_text_file(path);
  if (!text) return tl::unexpected(text.error());
  for (const std::string_view line : support::lines_of(*text)) {
    const std::string_view name = support::trimmed(line);
    if (name.empty()) continue;
    rules_.push_back({fmt::format("*{}*", glob_for(name)), false, {}});
  }
  return {};
}

void Specification::exclude(std::string_view label) {
  rules_.push_back({glob_for(label), false, {}});
}

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
