// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "symbols/type_path.h"

#include <optional>
#include <vector>

#include <dwarf.h>
#include <fmt/format.h>

#include "symbols/types.h"

namespace omnium::symbols {

namespace {

constexpr int kMostLevels = 32;  // broken debug information may loop

std::uint64_t descend(Dwarf_Die type, std::uint64_t offset, int level, std::string& path);

// Does the member hold the byte `offset` of its class?
bool holds(Dwarf_Die& member, Dwarf_Die& type, std::uint64_t offset) {
  const auto start = start_of(member);
  if (!start || *start > offset) return false;
  const auto size = size_of(type);
  // An array without a length at the end of a structure holds all that follows.
  return size ? offset - *start < *size : dwarf_tag(&type) == DW_TAG_array_type;
}

std::uint64_t descend_class(Dwarf_Die& type, std::uint64_t offset, int level, std::string& path) {
  Dwarf_Die member;
  if (dwarf_child(&type, &member) != 0) return offset;
  do {
    const int tag = dwarf_tag(&member);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
    auto inner = type_of(member);
    if (!inner || !holds(member, *inner, offset)) continue;
    const std::uint64_t inside = offset - *start_of(member);
    const char* name = tag == DW_TAG_member ? dwarf_diename(&member) : nullptr;
    const std::size_t length = path.size();
    if (name != nullptr && std::string_view(name).starts_with("_vptr")) {
      path += " (virtual table pointer)";
      return 0;
    }
    if (name != nullptr && is_reserved(name)) {
      // What follows is private to a library: what it says is part of the whole.
      path += library_part(name);
      const bool is_array = dwarf_tag(&*inner) == DW_TAG_array_type;
      const bool opaque = is_array && name != std::string_view("_M_elems");  // of std::array
      if (path.size() == length && !opaque) descend(*inner, inside, level, path);
      return 0;
    }
    if (name != nullptr) path += fmt::format(".{}", name);
    const std::uint64_t rest = descend(*inner, inside, level, path);
    return path.size() == length ? offset : rest;
  } while (dwarf_siblingof(&member, &member) == 0);
  return offset;
}

// The lengths of an array's dimensions; 0 where not known.
std::vector<std::uint64_t> dimensions(Dwarf_Die& array) {
  std::vector<std::uint64_t> out;
  Dwarf_Die child;
  if (dwarf_child(&array, &child) != 0) return out;
  do {
    if (dwarf_tag(&child) != DW_TAG_subrange_type) continue;
    if (const auto count = number_in(child, DW_AT_count)) {
      out.push_back(*count);
    } else if (const auto last = number_in(child, DW_AT_upper_bound)) {
      out.push_back(*last + 1);
    } else {
      out.push_back(0);
    }
  } while (dwarf_siblingof(&child, &child) == 0);
  return out;
}

std::uint64_t descend_array(Dwarf_Die& array, std::uint64_t offset, int level, std::string& path) {
  auto element = type_of(array);
  Dwarf_Word size = 0;
  if (!element || dwarf_aggregate_size(&*element, &size) != 0 || size == 0) return offset;
  std::uint64_t index = offset / size;
  std::string indices;
  const auto lengths = dimensions(array);
  for (std::size_t i = lengths.size(); i-- > 1;) {
    if (lengths[i] == 0) return offset;
    indices.insert(0, fmt::format("[{}]", index % lengths[i]));
    index /= lengths[i];
  }
  path += fmt::format("[{}]{}", index, indices);
  return descend(*element, offset % size, level, path);
}

// Appends names; returns what is left of `offset` behind the last of them.
std::uint64_t descend(Dwarf_Die type, std::uint64_t offset, int level, std::string& path) {
  if (level == kMostLevels) return offset;
  switch (dwarf_tag(&type)) {
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type: return descend_class(type, offset, level + 1, path);
    case DW_TAG_array_type: return descend_array(type, offset, level + 1, path);
    default: return offset;
  }
}

}  // namespace

std::string path_in_type(Dwarf_Die type, std::uint64_t offset) {
  Dwarf_Die peeled;
  std::string path;
  const bool known = dwarf_peel_type(&type, &peeled) == 0;
  const std::uint64_t rest = known ? descend(peeled, offset, 0, path) : offset;
  if (rest != 0) path += fmt::format("+{}", rest);
  return path;
}

}  // namespace omnium::symbols
