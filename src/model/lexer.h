// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Words of an .omp file. A name in double quotes is a name like any other and may hold anything but
// a line end; a quote or backslash in it has a backslash before it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/program.h"

namespace omnium::model {

struct Token {
  enum class Kind : std::uint8_t { kName, kQuotedName, kNumber, kSymbol, kEnd, kBad };

  Kind kind = Kind::kEnd;
  Place at;
  std::string text;  // kBad: what is wrong
  std::int64_t number = 0;
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : rest_(text) {}

  // The next word; kEnd for ever once the text is over. After kBad nothing may be asked.
  Token next();
  Place at() const { return at_; }

 private:
  void skip_blanks();
  void advance(std::size_t bytes);
  Token name(Token token);
  Token quoted_name(Token token);
  Token number(Token token);
  Token symbol(Token token);

  std::string_view rest_;
  Place at_{1, 1};
};

}  // namespace omnium::model
