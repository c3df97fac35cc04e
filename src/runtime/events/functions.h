// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Functions of the program that may be blocks, and which of them are none. (Their events are those
// of events.h: enter_function, leave_function, unwind_to.)
#pragma once

#include "runtime/state/thread.h"

namespace omnium::runtime {

// The innermost function calls another one, or takes a lock. If it is one that may do all the work
// of its thread, does it loop?
void note_call(ThreadState& thread, Pc site);

}  // namespace omnium::runtime
