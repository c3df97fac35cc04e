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

// The function that contains this code, if it is a block; 0 if it is not. If all functions are
// blocks, any number that is not 0. A lookup mostly costs one load from a small cache.
Pc function_block(Pc code);

}  // namespace omnium::runtime
