// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The source text of an instruction: the statement of the program's own function that it belongs
// to, the token at its column, and the chains of names in it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "symbols/debug_unit.h"
#include "symbols/expressions.h"
#include "symbols/macros.h"
#include "symbols/source_files.h"

namespace omnium::symbols {

// A chain in a statement, from its first name up to one of its names: `a`, `a.b` and `a.b->c`.
struct Chain {
  std::size_t first, end;  // tokens: [first, end)
  Value value;
};

class CodeText {
 public:
  // The function and those that it is inlined into, innermost first. `address` lies in them.
  CodeText(std::vector<CodeFrame> frames, const UnitIndex& index, SourceFiles& sources,
           std::int64_t newest, Dwarf_Addr address);

  // Is there a statement of the program's own?
  bool is_known() const { return expressions_.has_value() && at_ < tokens_->size(); }
  // Does the column say which token it is?
  bool is_exact() const { return exact_; }
  const Tokens& tokens() const { return *tokens_; }
  std::size_t at() const { return at_; }
  TokenRange statement() const { return statement_around(*tokens_, at_); }
  Expressions& expressions() { return *expressions_; }
  const UnitIndex& index() const { return index_; }

  // The function of the library that the statement calls, if the instruction belongs to one.
  std::optional<Dwarf_Die> called_library() const { return called_; }
  // The part of the library's object that it accesses: ".end"; empty if it has no name.
  std::string_view library_part_accessed() const { return part_; }
  // All of the statement, in its order.
  std::vector<Chain> chains();
  // All that the definitions of the macro name whose call begins at this token.
  std::vector<Value> values_in_macro(std::size_t at);
  // Does the column point to the chain, or to what follows it: a call or an index?
  bool is_near(const Chain& chain) const;

 private:
  void inner_part(const Frame& inner, std::size_t own, SourceFiles& sources);
  std::vector<Macro> definitions(std::string_view name);

  const UnitIndex& index_;
  SourceFiles& sources_;
  std::int64_t newest_;
  const Tokens* tokens_;
  std::optional<CodeScope> scope_;
  std::optional<Expressions> expressions_;
  std::optional<Dwarf_Die> called_;
  std::size_t at_ = 0;
  bool exact_ = false;
  std::string_view part_;
};

}  // namespace omnium::symbols
