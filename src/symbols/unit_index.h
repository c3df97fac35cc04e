// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The names of a compilation unit: types, variables, and what contains what. DWARF itself knows
// only the way down.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <elfutils/libdw.h>

namespace omnium::symbols {

class UnitIndex {
 public:
  explicit UnitIndex(Dwarf_Die unit);

  // The complete types of this name; "Account", "bank::Account".
  std::vector<Dwarf_Die> types(std::string_view name) const;
  // A variable outside functions; none if there are several of the name.
  std::optional<Dwarf_Die> variable(std::string_view name) const;
  // The functions of this name, declared or defined.
  std::vector<Dwarf_Die> functions(std::string_view name) const;
  // "bank::Account": without template arguments, unnamed namespaces and functions around it.
  std::string qualified_name(Dwarf_Die& die) const;
  // The same of a type: one without a name has that of its typedef; empty if it has none.
  std::string type_name(Dwarf_Die& type) const;
  // "Ledger::add"; of a lambda, the function that contains it; empty if not known.
  std::string function_name(Dwarf_Die function) const;
  // The class that a member function belongs to.
  std::optional<Dwarf_Die> class_of(Dwarf_Die function) const;
  // The same type with its members, if the unit has it.
  Dwarf_Die complete(Dwarf_Die type) const;
  // The files that it was compiled from.
  std::vector<std::string> files() const;

 private:
  struct Entry {
    Dwarf_Die die;
    Dwarf_Off parent;
    const char* name;  // null: it has none
    int tag;
  };
  static Dwarf_Die declaration_of(Dwarf_Die function);
  void read(Dwarf_Die& parent, Dwarf_Off parent_offset, bool in_function, int level);
  void add(Dwarf_Die& die, Dwarf_Off parent, bool in_function);

  Dwarf_Die unit_;
  std::unordered_map<Dwarf_Off, Entry> entries_;
  std::unordered_multimap<std::string_view, Dwarf_Die> types_, variables_, functions_;
  std::unordered_map<Dwarf_Off, Dwarf_Die> typedefs_;  // by the type without a name
};

// "Cache::get" for "Cache<int>::get<long>"; operators keep their names.
std::string without_template_arguments(std::string_view name);

}  // namespace omnium::symbols
