// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// One executable or shared library: its symbols and debug information, also from a separate file in
// the usual places (build id, .gnu_debuglink). Addresses are those of the file. Nothing is fetched
// from a network.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <elfutils/libdwfl.h>

#include "symbols/debug_unit.h"
#include "symbols/demangle.h"

namespace omnium::symbols {

class Binary {
 public:
  // What cannot be read is a binary without symbols.
  explicit Binary(std::string path);

  const std::string& path() const { return path_; }

  // The function at the address and those that it is inlined into, innermost first; empty if
  // nothing is known. Names are demangled and short ("Account::deposit").
  std::vector<Frame> frames(Dwarf_Addr address);

  // The function of this binary that the call instruction whose last byte is at the address calls
  // directly; empty if it is no such instruction.
  std::string called_at(Dwarf_Addr address);
  // Calls visit(return address, function) for the calls in [low, high) whose functions are known,
  // as the linker names them: of the file itself or of another one.
  using VisitCall = std::function<void(Dwarf_Addr return_address, std::string_view function)>;
  void visit_calls(Dwarf_Addr low, Dwarf_Addr high, const VisitCall& visit);

  // The same with debug information, and the unit that has it; null if there is none. Functions
  // have the linker's names.
  struct Code {
    DebugUnit* unit = nullptr;
    std::vector<CodeFrame> frames;
  };
  Code code(Dwarf_Addr address);
  // When the file was modified last, in seconds.
  std::int64_t modified() const { return modified_; }

  // The functions whose names are wanted, by address; a name is demangled and short. The answer to
  // the first call is remembered for all others.
  struct Function {
    Dwarf_Addr begin, end;
    bool library;  // not the program's own, and no function of the program is inlined into it
  };
  using IsWanted = std::function<bool(std::string_view name, bool library)>;
  const std::vector<Function>& wanted_functions(const IsWanted& is_wanted);

  // Calls visit for the names of functions that are inlined somewhere, demangled and short.
  void visit_inlined(const std::function<void(std::string_view name)>& visit);

  // The name of the global object that holds the address, with the part of it that the address lies
  // in: "account.balance". `code` is an address that uses it: its unit is searched first.
  std::optional<std::string> object(Dwarf_Addr address, Dwarf_Addr code);

 private:
  struct Symbol {
    Dwarf_Addr start, end;
    const char* name;
    bool global = false;  // it stands in one source file: neither inline nor of one unit alone
  };
  struct CodeRange {
    Dwarf_Addr low, high;
    std::size_t unit;
  };
  struct CloseDwfl {
    void operator()(Dwfl* dwfl) const { dwfl_end(dwfl); }
  };

  void read_symbols();
  void read_units();
  void add_unit(Dwarf_Die die);
  DebugUnit* unit_at(Dwarf_Addr address);
  // Is it written in a header of the system?
  bool is_in_system_file(const Symbol& function);
  std::optional<Dwarf_Die> variable(const Symbol& symbol, Dwarf_Addr code);
  // Bytes of the file as they are loaded at the address; false if they are not in the file.
  bool read_bytes(Dwarf_Addr address, void* to, std::size_t size);
  void read_imports();
  // The function of another file whose address is loaded into this place; empty if there is none.
  std::string_view import_at(Dwarf_Addr slot);
  // The function that starts at the address, or that a stub there jumps to; empty if not known.
  std::string_view function_at(Dwarf_Addr address);
  static const Symbol* find(const std::vector<Symbol>& symbols, Dwarf_Addr address);

  std::string path_;
  std::unique_ptr<Dwfl, CloseDwfl> dwfl_;
  Dwfl_Module* module_ = nullptr;
  std::int64_t modified_ = 0;
  bool instrumented_ = false;
  std::vector<Symbol> functions_, objects_;  // by address
  std::vector<DebugUnit> units_;
  std::vector<CodeRange> code_;  // by address
  std::optional<std::vector<Function>> wanted_;
  std::optional<std::unordered_map<Dwarf_Addr, std::string>> imports_;  // by place in the table
};

}  // namespace omnium::symbols
