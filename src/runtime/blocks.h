// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Blocks that ought to be atomic: annotations, functions, critical sections.
#pragma once

#include "runtime/thread.h"

namespace omnium::runtime {

// Which functions are blocks. Set up from the watcher's answers, which come in the order of
// addresses; a function not mentioned costs one look at a small table.
void forget_named_functions();
void add_named_function(Pc begin, Pc end);
// The function that this code is part of, if it is a block; 0 if not. Any number for each function
// where all functions are blocks.
Pc function_block(Pc code);

// Reads the lines `atomic GLOB` and `not-atomic GLOB` of the specification, for annotations.
void read_specification(const char* path);
bool specification_names_functions();

// A begin and the end that matches it. `function` 0: an annotation; `name` null: the function's.
void push_block(ThreadState& thread, const char* name, Pc function, const void* frame, Pc pc,
                bool atomic);
void pop_mark(ThreadState& thread, Pc pc);
void pop_annotation(ThreadState& thread, Pc pc);
void pop_function(ThreadState& thread, Pc function, Pc pc);
void pop_frames_below(ThreadState& thread, const void* frame);
void pop_all(ThreadState& thread);
// The thread does not exist any more and may have stopped anywhere, in the middle of these too.
void abandon_blocks(ThreadState& thread);

bool is_atomic_name(const char* name);

}  // namespace omnium::runtime
