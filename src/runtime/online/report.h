// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// From a violation to a message: the witness, the recent history of its threads, the names that
// only this process knows. Called under the lock of the reach engine.
#pragma once

#include "runtime/online/reach.h"

namespace omnium::runtime {

// `row`: of the innermost block that the dependency refutes.
void report_violation(ThreadState& thread, const ReachRow& row, const Dependency& closing,
                      const Sink& sink);

// Not serializable, although no transaction is wrong alone.
void report_cycle(ThreadState& thread, const Dependency& closing, const Sink& sink);

// A finding is sent when its block ends, or when the thread has done some more things: only then is
// it known what the block did after it was interrupted. These take the lock.
void send_pending(ThreadState& thread);
void send_all_pending();                 // the process ends, perhaps by a crash
void drop_pending(ThreadState& thread);  // another process sends it

}  // namespace omnium::runtime
