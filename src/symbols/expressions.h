// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What an expression in the source means at an address of the code: its type, and a name for the
// object that it denotes. Understood are chains such as `shop.ledger_.total_`, `it->second.count`,
// `(*p).items[i]`, `cache_.find(key)->second`; anything else has no value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <elfutils/libdw.h>

#include "symbols/tokens.h"
#include "symbols/unit_index.h"

namespace omnium::symbols {

// A function, also an inlined one, at an address in it.
struct CodeScope {
  const UnitIndex* index;
  Dwarf_Die function;
  std::string function_name;  // of a lambda: the function around it
  Dwarf_Addr address;
  std::uint32_t line;
};

struct Value {
  Dwarf_Die type;
  bool pointer = false;  // the value is a pointer to an object of the type
  // "Ledger::total_" by the class that declares the member, "counter in main"; empty if the object
  // has no name of its own.
  std::string name;
  // An element of a library's container, which is not part of the object that the name begins with.
  bool element = false;

  std::optional<std::uint64_t> size() const;
};

// "raw[] in main" for "raw in main" and "[]".
std::string with_part(std::string name, std::string_view part);

class Expressions {
 public:
  Expressions(const Tokens& tokens, CodeScope scope) : tokens_(tokens), scope_(std::move(scope)) {}

  // The chain whose last token this is, with the `*` before it.
  std::optional<Value> ending_at(std::size_t last);
  // The longest chain that starts here. `end` becomes the index behind it.
  std::optional<Value> starting_at(std::size_t first, std::size_t& end);
  // The first token of the chain whose last one this is.
  std::size_t start_of_chain(std::size_t last) const;
  // A word alone.
  std::optional<Value> look_up(std::string_view word);
  std::optional<Value> dereference(Value value) const;
  std::optional<Value> element(Value value) const;
  // In a constructor or destructor: the only member of the class of this type.
  std::optional<std::string> member_of_type(Dwarf_Die& type);
  // The type that words name: "struct Order", "bank::Account *". A `*` makes it a pointer.
  std::optional<Value> type_at(std::size_t first, std::size_t end) const;

 private:
  std::optional<Value> evaluate(std::size_t first, std::size_t end);
  std::optional<Value> primary(std::size_t& at, std::size_t end);
  std::optional<Value> in_parentheses(std::size_t open, std::size_t close);
  std::optional<Value> cast(std::size_t& at, std::size_t end);
  std::optional<Value> qualified(std::size_t& at, std::size_t end);
  std::optional<Value> call(std::string_view function) const;
  std::optional<Value> postfix(Value value, std::size_t& at, std::size_t end);
  std::optional<Value> member(Value value, std::string_view name, bool is_call) const;
  std::optional<Value> arrow(Value value) const;
  std::optional<Dwarf_Die> local(std::string_view name);
  std::optional<Dwarf_Die> own_class();
  std::optional<Value> captured(Dwarf_Die& closure, std::string_view name) const;
  std::optional<Value> member_of_this(std::string_view name, bool is_call);
  Value make(Dwarf_Die type, std::string name) const;
  std::string owner_name(Dwarf_Die& owner) const;

  const Tokens& tokens_;
  CodeScope scope_;
  int level_ = 0;
};

}  // namespace omnium::symbols
