// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Signals wait while a thread holds or wants a lock of the runtime: a handler may leave by
// siglongjmp, and nobody would unlock it. state/waiting_signals.h has the rest of the story.
#pragma once

#include <cstdint>

namespace omnium::runtime {

struct SignalGate {
  std::uint32_t closed;       // how many reasons there are to keep signals waiting
  void (*deliver)();          // null: no signal waits
  std::uint64_t mask_before;  // the signals that were blocked before the first one waited
};

inline constinit thread_local SignalGate tls_gate __attribute__((tls_model("initial-exec"))) = {};

inline void close_gate() {
  ++tls_gate.closed;
  __asm__ volatile("" ::: "memory");
}
inline void open_gate() {
  __asm__ volatile("" ::: "memory");
  if (--tls_gate.closed == 0 && tls_gate.deliver != nullptr) [[unlikely]]
    tls_gate.deliver();
}

}  // namespace omnium::runtime
