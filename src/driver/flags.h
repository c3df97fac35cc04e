// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What instrumentation adds to a command line. docs/guide/compiling.md explains each word.
#pragma once

#include "driver/compiler.h"
#include "driver/installation.h"

namespace omnium::driver {

Words compile_flags(Family family, const Installation& files);

// They stand before everything else, so that the runtime is the first library.
Words link_flags(const Installation& files);

}  // namespace omnium::driver
