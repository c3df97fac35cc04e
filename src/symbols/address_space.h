// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// From addresses of a process to names and places in its source.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "symbols/binary.h"
#include "symbols/source_files.h"

namespace omnium::symbols {

// What one process has loaded from one file.
struct LoadedModule {
  std::string path;
  std::uint64_t bias = 0;            // address in memory = address in the file + bias
  std::uint64_t begin = 0, end = 0;  // in memory
  bool instrumented = true;
};

// Files that were opened, shared by the processes of a run. A program may name any number of files,
// of any size, so there are limits: beyond them, a file is one without symbols.
class Binaries {
 public:
  Binaries();
  Binary& open(const std::string& path);
  // The names of functions that are inlined somewhere in the files that were opened.
  void visit_inlined(const std::function<void(std::string_view name)>& visit);
  // Files may be opened for some more seconds from now on.
  void allow_more_time();
  SourceFiles& sources() { return sources_; }

 private:
  std::map<std::string, std::unique_ptr<Binary>> opened_;
  Binary nothing_{""};
  SourceFiles sources_;
  std::chrono::steady_clock::time_point deadline_ = std::chrono::steady_clock::time_point::max();
};

class ObjectNames;

class AddressSpace {
 public:
  explicit AddressSpace(Binaries& binaries, std::vector<LoadedModule> modules = {});
  ~AddressSpace();
  AddressSpace(const AddressSpace&) = delete;
  AddressSpace& operator=(const AddressSpace&) = delete;
  void replace_modules(std::vector<LoadedModule> modules);

  // The place of an instruction: "bank.cpp:44", skipping what is inlined from system headers;
  // "bank+0x1234" without debug information; empty if the address belongs to no module. Paths
  // are relative to the current directory, or to the root of the repository around it.
  std::string place(std::uint64_t address);
  // The same with the function: "bank.cpp:44 in Account::deposit".
  const std::string& place_and_function(std::uint64_t address);

  // "Account::deposit", or "bank+0x1234".
  std::string function(std::uint64_t address);

  // The function and those that it is inlined into, innermost first.
  std::vector<Frame> frames(std::uint64_t address);
  // The same of instrumented code, as far as it is the program's own: not in a system header.
  std::vector<Frame> own_frames(std::uint64_t address);
  // The same with debug information; its addresses are those of the file.
  struct CodeAt {
    Binary::Code code;
    Dwarf_Addr address = 0;
    std::int64_t modified = 0;  // the file, in seconds
  };
  CodeAt code(std::uint64_t address);
  SourceFiles& sources() { return binaries_.sources(); }
  // "bank.cpp:44"
  std::string place(const Frame& frame) const;

  // Calls visit for the functions of instrumented modules whose names are wanted. A module is asked
  // for its names once: `is_wanted` must always give the same answers.
  using IsWanted = Binary::IsWanted;
  using VisitFunction = std::function<void(std::uint64_t begin, std::uint64_t end, bool library)>;
  void visit_functions(const IsWanted& is_wanted, const VisitFunction& visit);

  // "account.balance", or "bank+0x4010"; none if the address belongs to no module. `code` uses it.
  std::optional<std::string> object(std::uint64_t address, std::uint64_t code);
  // Names of all objects (symbols/object_names.h).
  ObjectNames& names() { return *names_; }

 private:
  const LoadedModule* module_at(std::uint64_t address) const;
  // How many of the functions that are inlined there, innermost first, only take or give back a
  // lock for their caller.
  std::size_t lock_wrappers_at(std::uint64_t address, std::size_t frames);

  Binaries& binaries_;
  std::vector<LoadedModule> modules_;  // by begin
  std::string directory_, root_;       // the current one, and the repository's; a slash behind
  std::unordered_map<std::uint64_t, std::string> places_;
  std::unique_ptr<ObjectNames> names_;
};

}  // namespace omnium::symbols
