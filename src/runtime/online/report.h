// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Makes a message of a violation: the witness, the recent history of its threads, and the names
// that only this process knows. The first two functions are called under the lock of the reach
// engine.
#pragma once

#include "runtime/online/reach.h"

namespace omnium::runtime {

// A block is not atomic. `row` is that of the innermost block that the dependency refutes. Both
// return whether a finding is told.
bool report_violation(ThreadState& thread, const ReachRow& row, const Dependency& closing,
                      const Sink& sink);

// The run is not serializable, although no single block is to blame.
bool report_cycle(ThreadState& thread, const Dependency& closing, const Sink& sink);

// The stack of the thread that found something in its current event. Unwinding may take locks of
// the C library, so this comes after the lock of the reach engine is given back.
void add_stack(ThreadState& thread);

// A finding is not sent at once, but when its block ends or after some more events of its thread:
// then it is known what the block did after it was interrupted. To send may take long, so it
// happens between events: no cell is locked then, nor the reach engine.
void end_findings(ThreadState& thread);   // nothing more belongs to those of the thread
void send_findings(ThreadState& thread);  // those that are ready
void send_all_findings();                 // when the process ends, perhaps by a crash
void drop_findings(ThreadState& thread);  // in the child of a fork: the parent sends them

// Some blocks may turn out to be none: a critical section whose lock is never released, a function
// that does all the work of its thread in a loop. What blames only such a block waits until it is
// clear.
void release_findings(ThreadState& thread);      // it is a block
void settle_held_findings(ThreadState& thread);  // the thread or its body ends: was it one?

// Tells the watcher which functions were refuted in this run.
void send_refuted_functions();

// Called after each event that may have found something.
inline void send_findings_if_any(ThreadState& thread) {
  if (thread.findings.any) send_findings(thread);
}

}  // namespace omnium::runtime
