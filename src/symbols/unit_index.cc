// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "symbols/unit_index.h"

#include <algorithm>

#include <dwarf.h>

#include "symbols/types.h"

namespace omnium::symbols {

namespace {

constexpr int kMostLevels = 64;  // broken debug information
constexpr std::size_t kMostEntries = 4 << 20;

bool is_type(int tag) {
  switch (tag) {
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_enumeration_type:
    case DW_TAG_typedef:
    case DW_TAG_base_type: return true;
    default: return false;
  }
}

bool holds_names(int tag) {
  switch (tag) {
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_namespace:
    case DW_TAG_subprogram:
    case DW_TAG_lexical_block: return true;
    default: return false;
  }
}

// Is `name` the end of `full`, from the start of a word?
bool ends_with_name(std::string_view full, std::string_view name) {
  if (!full.ends_with(name)) return false;
  const std::string_view before = full.substr(0, full.size() - name.size());
  return before.empty() || before.ends_with("::");
}

std::string_view last_word(std::string_view name) {
  const std::size_t at = name.rfind("::");
  return at == std::string_view::npos ? name : name.substr(at + 2);
}

// The name that templates are looked up by: without their arguments.
std::string_view bare(std::string_view name) {
  return name.starts_with('<') || name.starts_with("operator") ? name
                                                               : name.substr(0, name.find('<'));
}

}  // namespace

std::string without_template_arguments(std::string_view name) {
  std::string out;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool starts_word = i == 0 || name[i - 1] == ':' || name[i - 1] == ' ';
    if (depth == 0 && starts_word && name.substr(i).starts_with("operator")) {
      return out.append(name.substr(i));
    }
    const bool opens = name[i] == '<' && !starts_word;
    if (opens || (name[i] == '<' && depth != 0)) ++depth;
    if (depth == 0) out += name[i];
    if (name[i] == '>' && depth != 0) --depth;
  }
  return out;
}

UnitIndex::UnitIndex(Dwarf_Die unit) : unit_(unit) { read(unit, dwarf_dieoffset(&unit), false, 0); }

std::vector<std::string> UnitIndex::files() const {
  std::vector<std::string> out;
  Dwarf_Die unit = unit_;
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (dwarf_getsrcfiles(&unit, &files, &count) != 0) return out;
  Dwarf_Attribute attribute;
  const char* folder = dwarf_formstring(dwarf_attr(&unit, DW_AT_comp_dir, &attribute));
  for (std::size_t i = 0; i < count; ++i) {
    const char* file = dwarf_filesrc(files, i, nullptr, nullptr);
    if (file == nullptr || *file == '<') continue;
    const bool whole = *file == '/' || folder == nullptr;
    std::string path = whole ? file : std::string(folder) + "/" + file;
    if (std::ranges::find(out, path) == out.end()) out.push_back(std::move(path));
  }
  return out;
}

void UnitIndex::read(Dwarf_Die& parent, Dwarf_Off parent_offset, bool in_function, int level) {
  Dwarf_Die child;
  if (level == kMostLevels || dwarf_child(&parent, &child) != 0) return;
  do {
    if (entries_.size() >= kMostEntries) return;
    const int tag = dwarf_tag(&child);
    if (is_type(tag) || holds_names(tag) || tag == DW_TAG_variable) {
      add(child, parent_offset, in_function);
    }
    if (holds_names(tag)) {
      read(child, dwarf_dieoffset(&child), in_function || tag == DW_TAG_subprogram, level + 1);
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

void UnitIndex::add(Dwarf_Die& die, Dwarf_Off parent, bool in_function) {
  const int tag = dwarf_tag(&die);
  const char* name = dwarf_diename(&die);
  if (tag != DW_TAG_variable) {
    entries_.emplace(dwarf_dieoffset(&die), Entry{die, parent, name, tag});
  }
  if (name == nullptr) return;
  if (tag == DW_TAG_typedef) {
    auto type = reference_in(die, DW_AT_type);
    const bool unnamed = type && is_class(*type) && dwarf_diename(&*type) == nullptr;
    if (unnamed) typedefs_.emplace(dwarf_dieoffset(&*type), die);
  }
  if (is_type(tag) && !is_declaration(die)) types_.emplace(bare(name), die);
  if (tag == DW_TAG_variable && !in_function) variables_.emplace(name, die);
  if (tag == DW_TAG_subprogram) functions_.emplace(bare(name), die);
}

std::vector<Dwarf_Die> UnitIndex::types(std::string_view name) const {
  std::vector<Dwarf_Die> out;
  const auto [begin, end] = types_.equal_range(last_word(name));
  for (auto at = begin; at != end; ++at) {
    Dwarf_Die die = at->second;
    if (ends_with_name(qualified_name(die), name)) out.push_back(die);
  }
  return out;
}

std::optional<Dwarf_Die> UnitIndex::variable(std::string_view name) const {
  std::optional<Dwarf_Die> found;
  const auto [begin, end] = variables_.equal_range(last_word(name));
  for (auto at = begin; at != end; ++at) {
    Dwarf_Die die = at->second;
    // A definition refers to its declaration, and has the same type.
    auto type = referred_type_of(die);
    auto known = found ? referred_type_of(*found) : std::nullopt;
    if (known && type && type->addr != known->addr) return std::nullopt;
    found = die;
  }
  return found;
}

std::vector<Dwarf_Die> UnitIndex::functions(std::string_view name) const {
  std::vector<Dwarf_Die> out;
  const auto [begin, end] = functions_.equal_range(last_word(name));
  for (auto at = begin; at != end; ++at) out.push_back(at->second);
  return out;
}

std::string UnitIndex::qualified_name(Dwarf_Die& die) const {
  const char* own = dwarf_diename(&die);
  std::string name = own == nullptr ? "" : without_template_arguments(own);
  auto at = entries_.find(dwarf_dieoffset(&die));
  for (int i = 0; i < kMostLevels && at != entries_.end(); ++i) {
    at = entries_.find(at->second.parent);
    if (at == entries_.end() || at->second.tag == DW_TAG_subprogram) break;
    const Entry& outer = at->second;
    if (outer.name == nullptr) continue;
    const bool is_inline = outer.tag == DW_TAG_namespace && is_reserved(outer.name);
    if (!is_inline) name = without_template_arguments(outer.name) + "::" + name;
  }
  return name;
}

std::string UnitIndex::type_name(Dwarf_Die& type) const {
  if (dwarf_diename(&type) != nullptr) return qualified_name(type);
  const auto at = typedefs_.find(dwarf_dieoffset(&type));
  if (at == typedefs_.end()) return "";
  Dwarf_Die named = at->second;
  return qualified_name(named);
}

Dwarf_Die UnitIndex::declaration_of(Dwarf_Die function) {
  for (int i = 0; i < kMostLevels; ++i) {
    if (auto origin = reference_in(function, DW_AT_abstract_origin)) {
      function = *origin;
    } else if (auto declared = reference_in(function, DW_AT_specification)) {
      function = *declared;
    } else {
      break;
    }
  }
  return function;
}

std::optional<Dwarf_Die> UnitIndex::class_of(Dwarf_Die function) const {
  function = declaration_of(function);
  const auto at = entries_.find(dwarf_dieoffset(&function));
  if (at == entries_.end()) return std::nullopt;
  const auto outer = entries_.find(at->second.parent);
  if (outer == entries_.end()) return std::nullopt;
  Dwarf_Die die = outer->second.die;
  return is_class(die) ? std::optional(die) : std::nullopt;
}

std::string UnitIndex::function_name(Dwarf_Die function) const {
  for (int i = 0; i < kMostLevels; ++i) {
    function = declaration_of(function);
    auto type = class_of(function);
    if (!type || !is_closure(*type)) return qualified_name(function);
    // A lambda belongs to the function around it.
    auto at = entries_.find(dwarf_dieoffset(&*type));
    while (at != entries_.end() && at->second.tag != DW_TAG_subprogram) {
      at = entries_.find(at->second.parent);
    }
    if (at == entries_.end()) return "";
    function = at->second.die;
  }
  return "";
}

Dwarf_Die UnitIndex::complete(Dwarf_Die type) const {
  const char* name = dwarf_diename(&type);
  if (!is_declaration(type) || name == nullptr) return type;
  const std::string full = qualified_name(type);
  const auto [begin, end] = types_.equal_range(bare(name));
  for (auto at = begin; at != end; ++at) {
    Dwarf_Die die = at->second;
    const char* other = dwarf_diename(&die);
    if (std::string_view(other) == name && qualified_name(die) == full) return die;
  }
  return type;
}

}  // namespace omnium::symbols
