// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Signals that came while their thread was inside the runtime. A handler can leave by siglongjmp,
// call fork, or wait for another thread, so it must not run there. The signal is sent again to the
// thread, and blocked, with all others, until the thread leaves the runtime. So the kernel keeps
// what makes signals different: their order, their masks, their stacks.
#pragma once

#include <csignal>

#include "runtime/state/thread.h"
#include "runtime/system/signal_gate.h"

namespace omnium::runtime {

// Is this thread in the middle of an event, or does it have a lock of the runtime?
inline bool is_inside_runtime() {
  const ThreadState& thread = *tls_thread;
  const bool inside = thread.life == Life::kRunning &&
                      (thread.state.load(std::memory_order_relaxed) & (kInside | kMarking)) != 0;
  return inside || tls_gate.closed != 0;
}

// Was the signal caused by the instruction that it interrupts? It cannot wait.
bool is_fault(int number, const siginfo_t& info);

// Called by a handler: the signal comes again when its thread leaves the runtime.
void let_wait(int number, const siginfo_t& info, void* context);

// A handler that could not wait leaves for good what it has interrupted.
void abandon_event();

}  // namespace omnium::runtime
