// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "symbols/tokens.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <tuple>
#include <utility>

namespace omnium::symbols {

namespace {

constexpr std::size_t kMostTokensApart = 2000;  // of brackets that belong together

constexpr std::array<std::string_view, 3> kLongSigns = {"<<=", ">>=", "->*"};
// ">>" is two signs: most often it closes two lists of template arguments.
constexpr std::array<std::string_view, 19> kSigns = {
    "->", "::", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=",
    "|=", "^=", "==", "!=", "<=", ">=", "&&", "||", "<<"};

bool is_word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_open(const Token& token) { return token.is("(") || token.is("[") || token.is("{"); }
bool is_close(const Token& token) { return token.is(")") || token.is("]") || token.is("}"); }

class Reader {
 public:
  explicit Reader(std::string_view source) : source_(source) {}

  Tokens read() {
    while (at_ < source_.size()) {
      if (!skip_blank()) read_token();
    }
    return std::move(tokens_);
  }

 private:
  bool starts(std::string_view text) const { return source_.substr(at_).starts_with(text); }
  void advance(std::size_t count) {
    for (const std::size_t end = std::min(at_ + count, source_.size()); at_ < end; ++at_) {
      if (source_[at_] != '\n') continue;
      ++line_;
      line_start_ = at_ + 1;
    }
  }
  void advance_behind(std::string_view end) {
    const std::size_t found = source_.find(end, at_);
    advance(found == std::string_view::npos ? source_.size() : found - at_ + end.size());
  }
  // Skips to the end of the line, and of those that a backslash joins to it.
  void skip_line() {
    while (at_ < source_.size() && source_[at_] != '\n') advance(source_[at_] == '\\' ? 2 : 1);
  }
  bool skip_blank() {
    const char c = source_[at_];
    if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '\\') {
      advance(1);
    } else if (starts("//") || (c == '#' && is_first_of_line())) {
      skip_line();
    } else if (starts("/*")) {
      advance(2);
      advance_behind("*/");
    } else {
      return false;
    }
    return true;
  }
  bool is_first_of_line() const {
    return source_.substr(line_start_, at_ - line_start_).find_first_not_of(" \t") ==
           std::string_view::npos;
  }
  void add(Token::Kind kind, std::size_t begin, std::uint32_t line, std::uint32_t column) {
    tokens_.push_back({source_.substr(begin, at_ - begin), line, column, kind});
  }
  void read_token() {
    const std::size_t begin = at_;
    const std::uint32_t line = line_;
    const auto column = static_cast<std::uint32_t>(at_ - line_start_ + 1);
    const char c = source_[at_];
    if (starts("R\"")) {
      read_raw_text();
      add(Token::Kind::kText, begin, line, column);
    } else if (is_digit(c)) {
      while (at_ < source_.size() &&
             (is_word_char(source_[at_]) || source_[at_] == '.' || source_[at_] == '\'')) {
        advance(1);
      }
      add(Token::Kind::kNumber, begin, line, column);
    } else if (is_word_char(c)) {
      while (at_ < source_.size() && is_word_char(source_[at_])) advance(1);
      add(Token::Kind::kWord, begin, line, column);
    } else if (c == '"' || c == '\'') {
      read_text(c);
      add(Token::Kind::kText, begin, line, column);
    } else {
      read_sign();
      add(Token::Kind::kSign, begin, line, column);
    }
  }
  void read_text(char quote) {
    advance(1);
    while (at_ < source_.size() && source_[at_] != quote && source_[at_] != '\n') {
      advance(source_[at_] == '\\' ? 2 : 1);
    }
    advance(1);
  }
  void read_raw_text() {
    advance(2);
    const std::size_t open = source_.find('(', at_);
    constexpr std::size_t kLongestName = 16;
    if (open == std::string_view::npos || open - at_ > kLongestName) return;
    std::string end = ")";
    end.append(source_.substr(at_, open - at_)).append("\"");
    advance_behind(end);
  }
  void read_sign() {
    for (const std::string_view sign : kLongSigns) {
      if (starts(sign)) return advance(sign.size());
    }
    for (const std::string_view sign : kSigns) {
      if (starts(sign)) return advance(sign.size());
    }
    advance(1);
  }

  std::string_view source_;
  std::size_t at_ = 0, line_start_ = 0;
  std::uint32_t line_ = 1;
  Tokens tokens_;
};

}  // namespace

Tokens tokenize(std::string_view source) { return Reader(source).read(); }

std::size_t first_of_line(const Tokens& tokens, std::uint32_t line) {
  return static_cast<std::size_t>(std::ranges::lower_bound(tokens, line, {}, &Token::line) -
                                  tokens.begin());
}

std::size_t token_at(const Tokens& tokens, std::uint32_t line, std::uint32_t column) {
  const auto place = [](const Token& token) { return std::tuple(token.line, token.column); };
  const auto at = std::ranges::lower_bound(tokens, std::tuple(line, column), {}, place);
  if (at == tokens.end() || place(*at) != std::tuple(line, column)) return tokens.size();
  return static_cast<std::size_t>(at - tokens.begin());
}

std::size_t matching_close(const Tokens& tokens, std::size_t at) {
  std::size_t depth = 0;
  const std::size_t end = std::min(tokens.size(), at + kMostTokensApart);
  for (std::size_t i = at; i < end; ++i) {
    if (is_open(tokens[i])) ++depth;
    if (is_close(tokens[i]) && --depth == 0) return i;
  }
  return tokens.size();
}

std::size_t matching_open(const Tokens& tokens, std::size_t at) {
  std::size_t depth = 0;
  const std::size_t end = at > kMostTokensApart ? at - kMostTokensApart : 0;
  for (std::size_t i = at + 1; i-- > end;) {
    if (is_close(tokens[i])) ++depth;
    if (is_open(tokens[i]) && --depth == 0) return i;
  }
  return tokens.size();
}

TokenRange statement_around(const Tokens& tokens, std::size_t at) {
  constexpr std::size_t kLongest = 200;
  const auto ends = [&](std::size_t i) {
    return tokens[i].is(";") || tokens[i].is("{") || tokens[i].is("}");
  };
  TokenRange range{at, at};
  while (range.begin > 0 && at - range.begin < kLongest && !ends(range.begin - 1)) --range.begin;
  while (range.end < tokens.size() && range.end - at < kLongest && !ends(range.end)) ++range.end;
  return range;
}

std::vector<TokenRange> arguments_of(const Tokens& tokens, std::size_t at) {
  std::vector<TokenRange> out;
  if (at + 1 >= tokens.size() || !tokens[at + 1].is("(")) return out;
  const std::size_t close = matching_close(tokens, at + 1);
  if (close >= tokens.size()) return out;
  std::size_t first = at + 2;
  for (std::size_t i = first; i <= close; ++i) {
    if (i == close || tokens[i].is(",")) out.push_back({std::exchange(first, i + 1), i});
    if (i < close && (tokens[i].is("(") || tokens[i].is("["))) i = matching_close(tokens, i);
  }
  return out;
}

}  // namespace omnium::symbols
