// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Blocks that should be atomic: annotations, functions, critical sections.
#pragma once

#include "runtime/state/thread.h"

namespace omnium::runtime {

// A block begins, or ends in one of several ways. `name` is null for a function, and `function` is
// 0 for an annotation.
void push_block(ThreadState& thread, const char* name, Pc function, const void* frame, Pc pc,
                bool atomic);
void pop_mark(ThreadState& thread, Pc pc);
void pop_annotation(ThreadState& thread, Pc pc);
void pop_function(ThreadState& thread, Pc function, Pc pc);
void pop_frames_below(ThreadState& thread, const void* frame);
void pop_all(ThreadState& thread);
// The thread's open blocks are cut: its current event, which waited or retried at `pc`, is the
// first one of a new part of each. With --waits keep, or outside of blocks, nothing happens.
void begin_part(ThreadState& thread, Pc pc);
// Forgets the blocks of a thread that does not exist in this process any more (after a fork). It
// may have stopped anywhere, even in the middle of these functions.
void abandon_blocks(ThreadState& thread);

}  // namespace omnium::runtime
