// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "model/lexer.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "support/error.h"
#include "support/utf8.h"

namespace omnium::model {

namespace {

constexpr std::int64_t kLargestNumber = 1'000'000'000;
constexpr std::array<std::string_view, 7> kLongSymbols = {"..", "==", "!=", "<=", ">=", "&&", "||"};
constexpr std::string_view kShortSymbols = "{}()[];=<>!+-*/%,";

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool continues_name(char c) { return starts_name(c) || is_digit(c); }

}  // namespace

// Columns count characters.
void Lexer::advance(std::size_t bytes) {
  for (const char c : rest_.substr(0, bytes)) {
    if (c == '\n') {
      at_ = {at_.line + 1, 1};
    } else if ((c & 0xc0) != 0x80) {
      ++at_.column;
    }
  }
  rest_.remove_prefix(bytes);
}

void Lexer::skip_blanks() {
  for (;;) {
    const std::size_t blanks = std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size());
    advance(blanks);
    if (!rest_.starts_with('#')) return;
    advance(std::min(rest_.find('\n'), rest_.size()));
  }
}

Token Lexer::next() {
  skip_blanks();
  Token token;
  token.at = at_;
  if (rest_.empty()) return token;
  if (starts_name(rest_[0])) return name(std::move(token));
  if (is_digit(rest_[0])) return number(std::move(token));
  if (rest_[0] == '"') return quoted_name(std::move(token));
  return symbol(std::move(token));
}

Token Lexer::name(Token token) {
  const auto end = std::find_if_not(rest_.begin(), rest_.end(), continues_name);
  token.kind = Token::Kind::kName;
  token.text = std::string(rest_.begin(), end);
  advance(token.text.size());
  return token;
}

Token Lexer::quoted_name(Token token) {
  token.kind = Token::Kind::kQuotedName;
  for (std::size_t i = 1; i < rest_.size() && rest_[i] != '\n'; ++i) {
    if (rest_[i] == '"') {
      advance(i + 1);
      return token;
    }
    if (rest_[i] == '\\' && i + 1 < rest_.size() && rest_[i + 1] != '\n') ++i;
    token.text += rest_[i];
  }
  token.kind = Token::Kind::kBad;
  token.text = "unterminated quoted name";
  return token;
}

Token Lexer::number(Token token) {
  const auto end = std::find_if_not(rest_.begin(), rest_.end(), is_digit);
  token.kind = Token::Kind::kNumber;
  token.text = std::string(rest_.begin(), end);
  for (const char digit : token.text) {
    token.number = token.number * 10 + (digit - '0');
    if (token.number > kLargestNumber) {
      token.kind = Token::Kind::kBad;
      token.text = fmt::format("a number can be at most {}", kLargestNumber);
      return token;
    }
  }
  advance(token.text.size());
  return token;
}

Token Lexer::symbol(Token token) {
  token.kind = Token::Kind::kSymbol;
  for (const std::string_view symbol : kLongSymbols) {
    if (rest_.starts_with(symbol)) token.text = symbol;
  }
  if (token.text.empty() && kShortSymbols.find(rest_[0]) != std::string_view::npos) {
    token.text = rest_[0];
  }
  if (token.text.empty()) {
    const std::size_t length = std::max<std::size_t>(1, support::utf8_length(rest_));
    token.kind = Token::Kind::kBad;
    token.text = rest_.starts_with(":=") ? "unexpected ':='; an assignment is written with '='"
                                         : fmt::format("unexpected '{}'",
                                                       printable(rest_.substr(0, length)));
    return token;
  }
  advance(token.text.size());
  return token;
}

}  // namespace omnium::model
