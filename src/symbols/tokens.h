// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The source text of C and C++ as words and signs, with their places. Comments and preprocessor
// lines are left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace omnium::symbols {

struct Token {
  enum class Kind : std::uint8_t { kWord, kNumber, kText, kSign };
  std::string_view text;
  std::uint32_t line = 0, column = 0;  // from 1, in bytes, as DWARF counts them
  Kind kind = Kind::kSign;

  bool is(std::string_view sign) const { return text == sign; }
  bool is_word() const { return kind == Kind::kWord; }
};
using Tokens = std::vector<Token>;

// The tokens point into the source.
Tokens tokenize(std::string_view source);

// The index of the token at a place; tokens.size() if none starts there.
std::size_t token_at(const Tokens& tokens, std::uint32_t line, std::uint32_t column);
// The index of the first token of the line or behind it.
std::size_t first_of_line(const Tokens& tokens, std::uint32_t line);

// The index of the bracket that belongs to the one at `at`; tokens.size() if there is none nearby.
std::size_t matching_close(const Tokens& tokens, std::size_t at);
std::size_t matching_open(const Tokens& tokens, std::size_t at);

// The statement around a token: [begin, end).
struct TokenRange {
  std::size_t begin, end;
};
TokenRange statement_around(const Tokens& tokens, std::size_t at);
// The arguments of the call whose function is the token at `at`.
std::vector<TokenRange> arguments_of(const Tokens& tokens, std::size_t at);

}  // namespace omnium::symbols
