// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "symbols/debug_unit.h"

#include <algorithm>

#include <dwarf.h>

namespace omnium::symbols {

namespace {

constexpr std::uint32_t kMostLevels = 256;  // broken debug information

const char* text(Dwarf_Die& die, unsigned name) {
  Dwarf_Attribute attribute;
  return dwarf_formstring(dwarf_attr_integrate(&die, name, &attribute));
}

// The name that the linker knows, as far as it is there.
std::string linkage_name(Dwarf_Die& die) {
  const char* name = text(die, DW_AT_linkage_name);
  if (name == nullptr) name = text(die, DW_AT_MIPS_linkage_name);
  if (name == nullptr) name = dwarf_diename(&die);
  return name == nullptr ? "" : name;
}

// The fixed address of a variable, if it has one.
std::optional<Dwarf_Addr> fixed_address(Dwarf_Die& die) {
  Dwarf_Attribute attribute, address;
  Dwarf_Op* operations;
  std::size_t count;
  if (dwarf_attr(&die, DW_AT_location, &attribute) == nullptr ||
      dwarf_getlocation(&attribute, &operations, &count) != 0 || count != 1) {
    return std::nullopt;
  }
  if (operations[0].atom == DW_OP_addr) return operations[0].number;
  Dwarf_Addr value;
  if (operations[0].atom == DW_OP_addrx &&
      dwarf_getlocation_attr(&attribute, operations, &address) == 0 &&
      dwarf_formaddr(&address, &value) == 0) {
    return value;
  }
  return std::nullopt;
}

// Only what can hold code or objects with an address.
bool may_hold_code(int tag) {
  switch (tag) {
    case DW_TAG_namespace:
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine:
    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
    case DW_TAG_module:
    case DW_TAG_structure_type:
    case DW_TAG_class_type: return true;
    default: return false;
  }
}

}  // namespace

void DebugUnit::read() {
  if (read_) return;
  read_ = true;
  read_children(die_, 0);
}

void DebugUnit::read_children(Dwarf_Die& parent, std::uint32_t depth) {
  Dwarf_Die child;
  if (depth == kMostLevels || dwarf_child(&parent, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_variable) read_variable(child);
    if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) read_scope(child, depth);
    if (may_hold_code(tag)) read_children(child, depth + 1);
  } while (dwarf_siblingof(&child, &child) == 0);
}

void DebugUnit::read_scope(Dwarf_Die& die, std::uint32_t depth) {
  Dwarf_Addr base, low, high;
  for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&die, at, &base, &low, &high)) > 0;) {
    scopes_.push_back({low, high, depth, die});
  }
}

void DebugUnit::read_variable(Dwarf_Die& die) {
  if (const auto address = fixed_address(die)) {
    variables_.try_emplace(*address, die);
  } else if (dwarf_hasattr(&die, DW_AT_declaration) != 0) {
    declared_.try_emplace(linkage_name(die), die);
  }
}

// The compiler may have been told a path that begins where it ran.
std::string DebugUnit::absolute(std::string file) {
  const std::string folder = file.starts_with('/') ? "" : directory();
  return folder.starts_with('/') ? folder + "/" + file : file;
}

Frame DebugUnit::line_of(Dwarf_Addr address) {
  Frame frame;
  Dwarf_Line* line = dwarf_getsrc_die(&die_, address);
  if (line == nullptr) return frame;
  if (const char* file = dwarf_linesrc(line, nullptr, nullptr)) frame.file = absolute(file);
  dwarf_lineno(line, &frame.line);
  dwarf_linecol(line, &frame.column);
  return frame;
}

std::string DebugUnit::file(Dwarf_Addr address) { return line_of(address).file; }

Frame DebugUnit::call_site(Dwarf_Die& inlined) {
  Frame frame;
  Dwarf_Attribute attribute;
  Dwarf_Word file, line, column;
  Dwarf_Files* files;
  std::size_t count;
  if (dwarf_formudata(dwarf_attr(&inlined, DW_AT_call_file, &attribute), &file) == 0 &&
      dwarf_getsrcfiles(&die_, &files, &count) == 0 && file < count) {
    const char* name = dwarf_filesrc(files, file, nullptr, nullptr);
    if (name != nullptr) frame.file = absolute(name);
  }
  if (dwarf_formudata(dwarf_attr(&inlined, DW_AT_call_line, &attribute), &line) == 0) {
    frame.line = static_cast<int>(line);
  }
  if (dwarf_formudata(dwarf_attr(&inlined, DW_AT_call_column, &attribute), &column) == 0) {
    frame.column = static_cast<int>(column);
  }
  return frame;
}

std::vector<std::string> DebugUnit::inlined() {
  read();
  std::vector<std::string> out;
  for (Scope& scope : scopes_) {
    if (dwarf_tag(&scope.die) != DW_TAG_subprogram) out.push_back(linkage_name(scope.die));
  }
  return out;
}

std::vector<CodeFrame> DebugUnit::code_frames(Dwarf_Addr address) {
  read();
  std::vector<Scope*> around;
  for (Scope& scope : scopes_) {
    if (scope.low <= address && address < scope.high) around.push_back(&scope);
  }
  std::ranges::sort(around, std::greater<>{}, &Scope::depth);
  std::vector<CodeFrame> out;
  Frame place = line_of(address);
  for (Scope* scope : around) {
    place.function = linkage_name(scope->die);
    out.push_back({std::move(place), scope->die});
    if (dwarf_tag(&scope->die) == DW_TAG_subprogram) return out;
    place = call_site(scope->die);
  }
  return out;
}

std::vector<Frame> DebugUnit::frames(Dwarf_Addr address) {
  std::vector<Frame> out;
  for (CodeFrame& code : code_frames(address)) out.push_back(std::move(code.frame));
  if (!out.empty()) return out;
  Frame place = line_of(address);
  if (place.line != 0) out.push_back(std::move(place));
  return out;
}

const UnitIndex& DebugUnit::index() {
  if (index_ == nullptr) index_ = std::make_unique<UnitIndex>(die_);
  return *index_;
}

std::string DebugUnit::directory() {
  const char* name = text(die_, DW_AT_comp_dir);
  return name == nullptr ? "" : name;
}

std::optional<Dwarf_Die> DebugUnit::variable(Dwarf_Addr address) {
  read();
  const auto at = variables_.find(address);
  return at == variables_.end() ? std::nullopt : std::optional(at->second);
}

std::optional<Dwarf_Die> DebugUnit::declared(const std::string& name) {
  read();
  const auto at = declared_.find(name);
  return at == declared_.end() ? std::nullopt : std::optional(at->second);
}

}  // namespace omnium::symbols
