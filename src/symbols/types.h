// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Questions about DWARF types. Types are looked at without typedef, const and volatile.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <elfutils/libdw.h>

namespace omnium::symbols {

// The type of a variable, a member, a parameter, a pointer's target, a function's result.
std::optional<Dwarf_Die> type_of(Dwarf_Die& die);
// The same; what a reference refers to.
std::optional<Dwarf_Die> referred_type_of(Dwarf_Die& die);

std::optional<std::uint64_t> number_in(Dwarf_Die& die, unsigned attribute);
std::optional<std::uint64_t> size_of(Dwarf_Die& type);
bool is_class(Dwarf_Die& type);  // or a structure or a union
bool is_pointer(Dwarf_Die& type);
bool is_declaration(Dwarf_Die& die);
// The attribute's die.
std::optional<Dwarf_Die> reference_in(Dwarf_Die& die, unsigned attribute);

// The class of a lambda.
bool is_closure(Dwarf_Die& type);

// A type of the C or C++ library, by its name: whose it is says more.
bool is_library_type(std::string_view name);

// Names that start with two underscores, or with one and a capital: _M_impl, __data.
bool is_reserved(std::string_view name);

// Where a member lies in its class; none for static ones.
std::optional<std::uint64_t> start_of(Dwarf_Die& member);

struct Member {
  Dwarf_Die die;
  Dwarf_Die owner;  // the class with a name that declares it
};
// A member of the class, of a base or of an unnamed union in it.
std::optional<Member> find_member(Dwarf_Die& type, std::string_view name);

// Is it the class, or one that is derived from it?
bool derives_from(Dwarf_Die& type, Dwarf_Die& base);

// What a member function returns. If there are several of the name: the first one.
std::optional<Dwarf_Die> result_of(Dwarf_Die& type, std::string_view function);

// A type argument of a template's instance.
std::optional<Dwarf_Die> template_argument(Dwarf_Die& die, int index);

// What a person calls a private part of the C++ library's classes: ".end" for _M_finish of a
// vector. Empty if the part is no more than the whole.
std::string_view library_part(std::string_view member);

}  // namespace omnium::symbols
