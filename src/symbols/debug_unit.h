// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// One compilation unit of DWARF, read once: which functions, inlined ones among them, cover which
// addresses, and where its variables live. libdw's own look-ups walk the unit each time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <elfutils/libdw.h>

#include "symbols/unit_index.h"

namespace omnium::symbols {

// A place in the source with the function that contains it.
struct Frame {
  std::string function;  // as the linker names it, or plain
  std::string file;
  int line = 0;    // 0: not known
  int column = 0;  // 0: not known
};

// The same with the function's debug information.
struct CodeFrame {
  Frame frame;
  Dwarf_Die function;
};

class DebugUnit {
 public:
  explicit DebugUnit(Dwarf_Die die) : die_(die) {}

  // The function at the address and those that it is inlined into, innermost first.
  std::vector<Frame> frames(Dwarf_Addr address);
  // The same, as far as the functions are known.
  std::vector<CodeFrame> code_frames(Dwarf_Addr address);
  // The source file of the code at the address, inlined or not; empty if it is not known. Reads no
  // functions.
  std::string file(Dwarf_Addr address);
  // The names of the unit.
  const UnitIndex& index();
  // The functions that are inlined somewhere.
  std::vector<std::string> inlined();
  // The variable that starts at the address.
  std::optional<Dwarf_Die> variable(Dwarf_Addr address);
  // A variable that the unit declares, by the name that the linker knows.
  std::optional<Dwarf_Die> declared(const std::string& name);

 private:
  struct Scope {
    Dwarf_Addr low, high;
    std::uint32_t depth;
    Dwarf_Die die;
  };

  void read();
  void read_children(Dwarf_Die& parent, std::uint32_t depth);
  void read_scope(Dwarf_Die& die, std::uint32_t depth);
  void read_variable(Dwarf_Die& die);
  std::string directory();  // where the compiler ran; empty if not known
  std::string absolute(std::string file);
  Frame line_of(Dwarf_Addr address);
  Frame call_site(Dwarf_Die& inlined);

  Dwarf_Die die_;
  bool read_ = false;
  std::vector<Scope> scopes_;
  std::unordered_map<Dwarf_Addr, Dwarf_Die> variables_;
  std::unordered_map<std::string, Dwarf_Die> declared_;
  std::unique_ptr<UnitIndex> index_;  // made by the first question
};

}  // namespace omnium::symbols
