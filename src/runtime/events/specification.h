// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which blocks should be atomic. Annotations are known by their names; for functions the watcher is
// asked, since only it knows their names.
#pragma once

#include "runtime/state/code.h"

namespace omnium::runtime {

// Reads the lines `atomic GLOB` and `not-atomic GLOB` of the specification, for annotations.
void read_specification(const char* path);

bool is_atomic_name(const char* name);

// Must the watcher be asked?
bool specification_names_functions();
// Asks the watcher which functions are blocks by the specification, and waits for the answer.
void ask_for_functions();

struct FoundFunction {
  Pc block;      // an address of the function, always the same one; 0: it is not a block
  bool library;  // if all functions are blocks: it belongs to the C++ library
};
// The function that contains this code. A lookup mostly costs one load from a small cache.
FoundFunction find_function(Pc code);

}  // namespace omnium::runtime
