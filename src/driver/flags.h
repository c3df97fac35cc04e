// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What instrumentation adds to a command line. docs/guide/compiling.md explains each word.
#pragma once

#include "driver/compiler.h"
#include "driver/installation.h"

namespace omnium::driver {

// Which functions can be blocks: those that are left after inlining (the hooks that ThreadSanitizer
// has as well; only tiny functions are inlined), every function of the program, or none.
enum class FunctionHooks { kOutlined, kAll, kNone };

struct CompileOptions {
  bool wide_vectors = true;  // the processor may have vectors of more than 16 bytes
  FunctionHooks functions = FunctionHooks::kOutlined;
  bool inlined = true;  // inline the fast path of accesses (assembler/rewrite.h)
};

// They stand after everything else: for clang, a later -O2 undoes -fno-vectorize.
Words compile_flags(Family family, const Installation& files, CompileOptions options);

// They stand before everything else, so that the runtime is the first library.
Words link_flags(const Installation& files);

}  // namespace omnium::driver
