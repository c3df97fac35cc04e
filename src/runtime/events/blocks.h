// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Blocks that ought to be atomic: annotations, functions, critical sections.
#pragma once

#include "runtime/state/thread.h"

namespace omnium::runtime {

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

}  // namespace omnium::runtime
