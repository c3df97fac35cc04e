// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "symbols/macros.h"

#include <algorithm>

namespace omnium::symbols {

namespace {

constexpr std::size_t kLongestBody = 200;  // tokens

// Does `#define ` stand before this place, and nothing else in its line?
bool is_defined_at(std::string_view source, std::size_t at) {
  std::string_view before = source.substr(0, at);
  before.remove_prefix(before.rfind('\n') + 1);  // npos + 1 is 0
  const std::size_t sign = before.find_first_not_of(" \t");
  if (sign == std::string_view::npos || before[sign] != '#') return false;
  const Tokens words = tokenize(before.substr(sign + 1));
  return words.size() == 1 && words[0].is("define") && !before.ends_with("define");
}

// Up to the end of the line, and of those that a backslash joins to it.
std::string_view rest_of_line(std::string_view source, std::size_t at) {
  std::size_t end = at;
  while (end < source.size() && source[end] != '\n') end += source[end] == '\\' ? 2 : 1;
  return source.substr(at, std::min(end, source.size()) - at);
}

}  // namespace

std::vector<Macro> macros_in(std::string_view source, std::string_view name) {
  std::vector<Macro> out;
  for (std::size_t at = 0; (at = source.find(name, at)) != std::string_view::npos;) {
    const std::size_t behind = at + name.size();
    const bool has_parameters = behind < source.size() && source[behind] == '(';
    if (has_parameters && at > 0 && is_defined_at(source, at)) {
      Tokens tokens = tokenize(rest_of_line(source, behind));
      const std::size_t close = matching_close(tokens, 0);
      Macro macro;
      for (std::size_t i = 1; i < close && close < tokens.size(); ++i) {
        if (tokens[i].is_word()) macro.parameters.push_back(tokens[i].text);
      }
      if (close < tokens.size() && tokens.size() < kLongestBody) {
        macro.body.assign(tokens.begin() + static_cast<std::ptrdiff_t>(close) + 1, tokens.end());
        out.push_back(std::move(macro));
      }
    }
    at = behind;
  }
  return out;
}

Tokens expanded(const Macro& macro, const Tokens& tokens, std::span<const TokenRange> arguments) {
  Tokens out;
  for (const Token& token : macro.body) {
    const auto at = std::ranges::find(macro.parameters, token.text);
    const auto which = static_cast<std::size_t>(at - macro.parameters.begin());
    if (at == macro.parameters.end() || which >= arguments.size()) {
      out.push_back(token);
      continue;
    }
    const TokenRange& range = arguments[which];
    out.insert(out.end(), tokens.begin() + static_cast<std::ptrdiff_t>(range.begin),
               tokens.begin() + static_cast<std::ptrdiff_t>(range.end));
  }
  return out;
}

}  // namespace omnium::symbols
