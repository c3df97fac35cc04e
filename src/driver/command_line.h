// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What a compiler command line asks for, as far as instrumentation needs to know.
#pragma once

#include <string>
#include <vector>

#include "support/error.h"

namespace omnium::driver {

using Words = std::vector<std::string>;

enum class Work {
  kNothing,  // --version, -print-search-dirs, -dumpmachine, no input: the compiler's own business
  kCompile,  // ends before the linker: -c, -S, -E, -M, a precompiled header
  kLink,     // makes an executable or a shared library; may compile as well
};

struct CommandLine {
  Work work = Work::kNothing;
  bool joins_runtime = false;  // the result of the link can have the runtime beside it
  bool wide_vectors = false;   // the processor may have vectors of more than 16 bytes
  bool own_assembler = false;  // assembler code to read, or an object to write to standard output
};

// Words like @FILE are replaced by what the file says, as the compilers do it.
Words with_response_files(const Words& words);

// An error says what cannot be instrumented (-static, -m32, another sanitizer).
Result<CommandLine> classify(const Words& words);

}  // namespace omnium::driver
