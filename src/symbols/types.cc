// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "symbols/types.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <dwarf.h>

namespace omnium::symbols {

namespace {

constexpr int kMostLevels = 32;  // broken debug information may loop

bool is_reference(int tag) {
  return tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type;
}

// Calls visit(child) for each child until it returns true; whether one did.
template <class Visit>
bool any_child(Dwarf_Die& die, Visit visit) {
  Dwarf_Die child;
  if (dwarf_child(&die, &child) != 0) return false;
  do {
    if (visit(child)) return true;
  } while (dwarf_siblingof(&child, &child) == 0);
  return false;
}

std::optional<Member> find_member(Dwarf_Die& type, Dwarf_Die& owner, std::string_view name,
                                  int level) {
  std::optional<Member> found;
  if (level == kMostLevels) return found;
  any_child(type, [&](Dwarf_Die& child) {
    const int tag = dwarf_tag(&child);
    const bool is_static = tag == DW_TAG_variable;
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance && !is_static) return false;
    const char* called = tag == DW_TAG_inheritance ? nullptr : dwarf_diename(&child);
    if (called != nullptr) {
      if (called != name) return false;
      found = Member{child, owner};
      return true;
    }
    auto inner = type_of(child);
    if (!inner || !is_class(*inner)) return false;
    const bool unnamed = tag != DW_TAG_inheritance;
    found = find_member(*inner, unnamed ? owner : *inner, name, level + 1);
    return found.has_value();
  });
  return found;
}

std::optional<Dwarf_Die> result_of(Dwarf_Die& type, std::string_view function, int level) {
  std::optional<Dwarf_Die> found;
  if (level == kMostLevels) return found;
  any_child(type, [&](Dwarf_Die& child) {
    if (dwarf_tag(&child) != DW_TAG_subprogram) return false;
    const char* called = dwarf_diename(&child);
    if (called == nullptr || called != function) return false;
    found = referred_type_of(child);
    return true;
  });
  if (found) return found;
  any_child(type, [&](Dwarf_Die& child) {
    if (dwarf_tag(&child) != DW_TAG_inheritance) return false;
    auto base = type_of(child);
    if (base) found = result_of(*base, function, level + 1);
    return found.has_value();
  });
  return found;
}

bool derives(Dwarf_Die& type, Dwarf_Die& base, int level) {
  if (type.addr == base.addr) return true;
  return level != kMostLevels && any_child(type, [&](Dwarf_Die& child) {
           if (dwarf_tag(&child) != DW_TAG_inheritance) return false;
           auto inner = type_of(child);
           return inner && derives(*inner, base, level + 1);
         });
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 22> kLibraryParts = {{
    {"_M_start", ".begin"},
    {"_M_finish", ".end"},
    {"_M_end_of_storage", ".capacity"},
    {"_M_string_length", ".size"},
    {"_M_dataplus", ".data"},
    {"_M_element_count", ".size"},
    {"_M_buckets", ".buckets"},
    {"_M_bucket_count", ".bucket_count"},
    {"_M_before_begin", ".first"},
    {"_M_node_count", ".size"},
    {"_M_header", ".root"},
    {"_M_size", ".size"},
    {"_M_engaged", ".has_value"},
    {"_M_refcount", ".control_block"},
    {"_M_use_count", ".use_count"},
    {"_M_weak_count", ".weak_count"},
    {"_M_rehash_policy", ".load_policy"},
    {"_M_local_buf", ".characters"},
    {"_M_allocated_capacity", ".capacity"},
    {"_M_single_bucket", ".buckets"},
    {"_M_map", ".map"},
    {"_M_map_size", ".map_size"},
}};

}  // namespace

std::optional<Dwarf_Die> reference_in(Dwarf_Die& die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Die found;
  if (dwarf_attr(&die, name, &attribute) == nullptr ||
      dwarf_formref_die(&attribute, &found) == nullptr) {
    return std::nullopt;
  }
  return found;
}

std::optional<Dwarf_Die> type_of(Dwarf_Die& die) {
  Dwarf_Attribute attribute;
  Dwarf_Die type, peeled;
  if (dwarf_attr_integrate(&die, DW_AT_type, &attribute) == nullptr ||
      dwarf_formref_die(&attribute, &type) == nullptr || dwarf_peel_type(&type, &peeled) != 0) {
    return std::nullopt;
  }
  return peeled;
}

std::optional<Dwarf_Die> referred_type_of(Dwarf_Die& die) {
  auto type = type_of(die);
  for (int i = 0; i < kMostLevels && type && is_reference(dwarf_tag(&*type)); ++i) {
    type = type_of(*type);
  }
  return type;
}

std::optional<std::uint64_t> number_in(Dwarf_Die& die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value;
  if (dwarf_attr_integrate(&die, name, &attribute) == nullptr ||
      dwarf_formudata(&attribute, &value) != 0) {
    return std::nullopt;
  }
  return value;
}

std::optional<std::uint64_t> size_of(Dwarf_Die& type) {
  Dwarf_Word size = 0;
  if (dwarf_aggregate_size(&type, &size) != 0) return std::nullopt;
  return size;
}

bool is_class(Dwarf_Die& type) {
  const int tag = dwarf_tag(&type);
  return tag == DW_TAG_class_type || tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

bool is_pointer(Dwarf_Die& type) { return dwarf_tag(&type) == DW_TAG_pointer_type; }

bool is_declaration(Dwarf_Die& die) { return dwarf_hasattr(&die, DW_AT_declaration) != 0; }

bool is_closure(Dwarf_Die& type) {
  const char* called = dwarf_diename(&type);
  const std::string_view name = called == nullptr ? "" : called;
  return name.empty() || name.starts_with("<lambda") || name.starts_with("$_");
}

bool is_library_type(std::string_view name) {
  constexpr std::array<std::string_view, 6> kBeginnings = {"std::", "__gnu_cxx::", "pthread_",
                                                           "sem_t", "mtx_t",       "cnd_t"};
  return std::ranges::any_of(kBeginnings, [&](auto begin) { return name.starts_with(begin); });
}

bool is_reserved(std::string_view name) {
  return name.size() > 1 && name[0] == '_' &&
         (name[1] == '_' || std::isupper(static_cast<unsigned char>(name[1])) != 0);
}

std::optional<std::uint64_t> start_of(Dwarf_Die& member) {
  if (is_declaration(member) || dwarf_hasattr(&member, DW_AT_external) != 0) return std::nullopt;
  if (const auto start = number_in(member, DW_AT_data_member_location)) return start;
  if (const auto bits = number_in(member, DW_AT_data_bit_offset)) return *bits / 8;
  return 0;  // of a union
}

std::optional<Member> find_member(Dwarf_Die& type, std::string_view name) {
  return find_member(type, type, name, 0);
}

bool derives_from(Dwarf_Die& type, Dwarf_Die& base) { return derives(type, base, 0); }

std::optional<Dwarf_Die> result_of(Dwarf_Die& type, std::string_view function) {
  return result_of(type, function, 0);
}

std::optional<Dwarf_Die> template_argument(Dwarf_Die& die, int index) {
  std::optional<Dwarf_Die> found;
  any_child(die, [&](Dwarf_Die& child) {
    if (dwarf_tag(&child) != DW_TAG_template_type_parameter || index-- != 0) return false;
    found = type_of(child);
    return true;
  });
  return found;
}

std::string_view library_part(std::string_view member) {
  const auto at = std::ranges::find(kLibraryParts, member,
                                    &std::pair<std::string_view, std::string_view>::first);
  return at == kLibraryParts.end() ? "" : at->second;
}

}  // namespace omnium::symbols
