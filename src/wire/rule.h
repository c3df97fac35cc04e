// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// One line of a specification file (docs/formats/spec.md), and what a rule matches. Both sides read
// specifications: the program for the names of its annotations, the watcher for those of functions.
// So nothing here allocates or throws.
#pragma once

#include <cstddef>
#include <string_view>

namespace omnium {

struct RuleLine {
  enum class Kind { kEmpty, kRule, kWrong } kind = Kind::kEmpty;
  std::string_view text;  // without the comment, and without blanks at both ends
  std::string_view glob;
  bool atomic = false;
};

namespace rule {

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// A comment starts the line or follows a blank.
inline std::string_view without_comment(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '#' && (i == 0 || is_blank(line[i - 1]))) return {line.data(), i};
  }
  return line;
}

// Does the character that `glob` has at `at` match `c`? `width` is how many bytes of the glob it
// takes.
inline bool matches_one(std::string_view glob, std::size_t at, char c, std::size_t& width) {
  const bool escaped = glob[at] == '\\' && at + 1 < glob.size();
  width = escaped ? 2 : 1;
  return escaped ? glob[at + 1] == c : glob[at] == '?' || glob[at] == c;
}

}  // namespace rule

inline RuleLine read_rule(std::string_view line) {
  RuleLine out;
  out.text = rule::trimmed(rule::without_comment(line));
  if (out.text.empty()) return out;
  std::size_t verb = 0;
  while (verb < out.text.size() && !rule::is_blank(out.text[verb])) ++verb;
  const std::string_view word(out.text.data(), verb);
  out.glob = rule::trimmed({out.text.data() + verb, out.text.size() - verb});
  out.atomic = word == "atomic";
  const bool known = out.atomic || word == "not-atomic";
  out.kind = known && !out.glob.empty() ? RuleLine::Kind::kRule : RuleLine::Kind::kWrong;
  return out;
}

// In a glob, * matches any characters, ? matches one, and \ makes the next character an ordinary
// one. After a mismatch only the latest * is tried again, so the cost is at most the length of the
// text times the longest part between two stars.
inline bool glob_match(std::string_view glob, std::string_view text) {
  constexpr std::size_t kNone = std::string_view::npos;
  std::size_t g = 0, t = 0, width = 0, star = kNone, resume = 0;
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      resume = t;
    } else if (g < glob.size() && rule::matches_one(glob, g, text[t], width)) {
      g += width;
      ++t;
    } else if (star != kNone) {
      g = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return glob.find_first_not_of('*', g) == kNone;
}

}  // namespace omnium
