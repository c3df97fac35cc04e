// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which blocks ought to be atomic: annotations by their names, functions by what the watcher says.
#pragma once

#include "runtime/state/code.h"

namespace omnium::runtime {

// Reads the lines `atomic GLOB` and `not-atomic GLOB` of the specification, for annotations.
void read_specification(const char* path);

bool is_atomic_name(const char* name);

// Only the watcher can tell functions by their names.
bool specification_names_functions();
// Asks the watcher which functions are blocks by the specification, and waits for the answer.
void ask_for_functions();

// The function that this code is part of, if it is a block; 0 if not. Any number for each function
// where all functions are blocks. A function that is not mentioned costs one look at a small table.
Pc function_block(Pc code);

}  // namespace omnium::runtime
