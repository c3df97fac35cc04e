// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Signals wait while a thread holds or wants a lock of the runtime: a handler may leave by
// siglongjmp, and nobody would unlock it. state/waiting_signals.h has the rest of the story.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace omnium::runtime {

struct SignalGate {
  std::uint32_t closed;       // how many reasons there are to keep signals waiting
  void (*deliver)();          // null: no signal waits
  std::uint64_t mask_before;  // the signals that were blocked before the first one waited
};

inline constinit thread_local SignalGate tls_gate __attribute__((tls_model("initial-exec"))) = {};

// If the stack overflows while a lock is held, and the handler of that fault jumps away, nobody
// unlocks it. So a stack without room for what the runtime does under a lock overflows before.
// 0: the program has no handler that could survive an overflow, and nothing is touched.
inline constinit std::atomic<std::ptrdiff_t> stack_probe{0};
inline constexpr std::ptrdiff_t kStackRoom = 8 * 1024;

// Before a lock is taken that other locks are taken under: with room for these, too.
[[gnu::always_inline]] inline void overflow_now_or_not() {
  const std::ptrdiff_t probe = stack_probe.load(std::memory_order_relaxed);
  __asm__ volatile("cmpb $0, (%%rsp, %0, 2)" : : "r"(probe) : "cc", "memory");
}
// Before such a lock.
[[gnu::always_inline]] inline void overflow_before_inner_lock() {
  const std::ptrdiff_t probe = stack_probe.load(std::memory_order_relaxed);
  __asm__ volatile("cmpb $0, (%%rsp, %0)" : : "r"(probe) : "cc", "memory");
}

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
