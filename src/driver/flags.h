// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What instrumentation adds to a command line. docs/guide/compiling.md explains each word.
#pragma once

#include "driver/compiler.h"
#include "driver/installation.h"

namespace omnium::driver {

struct CompileOptions {
  bool wide_vectors = true;  // the processor may have vectors of more than 16 bytes
  bool functions = true;     // functions can be blocks: every one has hooks
};

// They stand after everything else: for clang, a later -O2 undoes -fno-vectorize.
Words compile_flags(Family family, const Installation& files, CompileOptions options);

// They stand before everything else, so that the runtime is the first library.
Words link_flags(const Installation& files);

}  // namespace omnium::driver
