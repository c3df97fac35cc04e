// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Where the files lie that an instrumented program needs.
#pragma once

#include <filesystem>

#include "support/error.h"

namespace omnium::driver {

// One folder holds them all: the folder of `omnium` in a build tree, LIB/omnium under a prefix, or
// what OMNIUM_RUNTIME_DIR says.
struct Installation {
  std::filesystem::path folder;

  std::string library() const { return folder / "libomnium_rt.so"; }
  std::string gdb_commands() const { return folder / "omnium_gdb.py"; }
  std::string module_object() const { return folder / "omnium_module.o"; }
  std::string specs() const { return folder / "omnium_gcc.specs"; }
  std::string assembler() const { return folder / "omnium_assembler"; }  // the folder of `as`
  std::string headers() const { return folder / "omnium_headers"; }      // <omnium/atomic.h>
  std::string jumps() const { return headers() + "/omnium_jumps.h"; }
  // Headers that stand before the C++ library's.
  std::string overlay(std::string_view compiler) const {
    return folder / "omnium_overlay" / compiler;
  }
};

// An error if a file is missing; the library is needed for linking alone.
Result<Installation> find_installation(bool for_linking);

}  // namespace omnium::driver
