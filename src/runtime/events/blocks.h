// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Blocks that should be atomic: annotations, functions, critical sections.
#pragma once

#include "runtime/state/stack.h"
#include "runtime/state/thread.h"

namespace omnium::runtime {

// A block begins, or ends in one of several ways. Blocks inside of one that ends, but which do not
// end themselves, begin again.
void begin_marked(ThreadState& thread, Mark& mark);  // the block of the latest mark
// Inlined, so that a new mark is written where it stays: to copy one that has just been written
// field by field costs as much as all else.
[[gnu::always_inline]] inline void push_block(ThreadState& thread, const Mark& mark) {
  const std::uint32_t place = thread.marks_used++;
  if (place >= kMaxMarks) return;
  thread.marks[place] = mark;
  begin_marked(thread, thread.marks[place]);
}
void pop_mark(ThreadState& thread, Pc pc);
void pop_annotation(ThreadState& thread, Pc pc);
void pop_scope(ThreadState& thread, const void* scope, Pc pc);
void pop_function(ThreadState& thread, Pc function, Pc pc);
// The innermost function ends; critical sections in it go on.
void pop_latest_function(ThreadState& thread, Pc pc);
void pop_section(ThreadState& thread, Pc pc);
// The thread has jumped to the frame `to`, from the frame `from`, which may be on another stack.
void pop_left_frames(ThreadState& thread, const void* from, const void* to);
// The thread leaves the frame of a coroutine: it ends or suspends.
void pop_coroutine(ThreadState& thread, Stack frame, Pc pc);
bool has_coroutine_block(const ThreadState& thread, Stack frame);
void pop_all(ThreadState& thread);
// The thread's open blocks are cut: its current event, which waited or retried at `pc`, is the
// first one of a new part of each. With --waits keep, or outside of blocks, nothing happens.
void begin_part(ThreadState& thread, Pc pc);
// The same in any case: what the open blocks did so far belongs to another process (the child of a
// fork).
void begin_anew(ThreadState& thread, Pc pc);
// Ends all blocks, and keeps their marks for `resume_all`, where they begin again. `kept` has room
// for kMaxMarks, or for as many as are in use.
struct KeptMarks {
  std::uint32_t count;   // of the marks that are kept
  std::uint32_t beyond;  // how many were only counted
};
KeptMarks suspend_all(ThreadState& thread, Mark* kept, Pc pc);
void resume_all(ThreadState& thread, const Mark* kept, KeptMarks count);
// Forgets the blocks of a thread that does not exist in this process any more (after a fork). It
// may have stopped anywhere, even in the middle of these functions.
void abandon_blocks(ThreadState& thread);

}  // namespace omnium::runtime
