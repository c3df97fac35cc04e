// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Makes a message of a violation: the witness, the recent history of its threads, and the names
// that only this process knows. The first two functions are called under the lock of the reach
// engine.
#pragma once

#include "runtime/online/reach.h"

namespace omnium::runtime {

// A block is not atomic. `row` is that of the innermost block that the dependency refutes.
void report_violation(ThreadState& thread, const ReachRow& row, const Dependency& closing,
                      const Sink& sink);

// The run is not serializable, although no single block is to blame.
void report_cycle(ThreadState& thread, const Dependency& closing, const Sink& sink);

// A finding is not sent at once, but when its block ends or after some more events of its thread:
// then it is known what the block did after it was interrupted. These functions take the lock.
void send_pending(ThreadState& thread);
void send_all_pending();                 // when the process ends, perhaps by a crash
void drop_pending(ThreadState& thread);  // in the child of a fork: the parent sends it

}  // namespace omnium::runtime
