// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/state/waiting_signals.h"

#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace omnium::runtime {

namespace {

using Mask = std::uint64_t;  // as the kernel has it: bit N-1 is signal N

constexpr Mask bit_of(int number) { return Mask{1} << (number - 1); }
// To block these would end the program if an instruction causes them meanwhile.
constexpr Mask kFaults = bit_of(SIGSEGV) | bit_of(SIGBUS) | bit_of(SIGFPE) | bit_of(SIGILL) |
                         bit_of(SIGTRAP) | bit_of(SIGSYS);

void deliver() {
  if (is_inside_runtime()) return;  // it is delivered when the last reason is gone
  tls_thread->set_state(kSignalled, false);
  tls_gate.deliver = nullptr;
  const int saved = errno;
  const Mask mask = tls_gate.mask_before;
  // The handlers run before this returns, and may not let it return.
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, nullptr, sizeof(mask));
  errno = saved;
}

}  // namespace

bool is_fault(int number, const siginfo_t& info) {
  return (kFaults & bit_of(number)) != 0 && info.si_code > 0;
}

void let_wait(int number, const siginfo_t& info, void* context) {
  const int saved = errno;
  auto& mask = reinterpret_cast<Mask&>(static_cast<ucontext_t*>(context)->uc_sigmask);
  if (tls_gate.deliver == nullptr) tls_gate.mask_before = mask;
  mask |= ~kFaults | bit_of(number);
  tls_gate.deliver = deliver;
  tls_thread->set_state(kSignalled, tls_thread->life == Life::kRunning);
  siginfo_t copy = info;
  const pid_t process = getpid();
  const long thread = syscall(SYS_gettid);
  if (syscall(SYS_rt_tgsigqueueinfo, process, thread, number, &copy) != 0) {
    syscall(SYS_tgkill, process, thread, number);  // without what the sender added
  }
  errno = saved;
}

std::atomic<void (*)()> wait_outside{nullptr};

void deliver_waiting_signals() {
  if (tls_gate.deliver != nullptr) {
    tls_gate.deliver();
  } else if (!is_inside_runtime()) {
    tls_thread->set_state(kSignalled, false);
  }
  void (*const wait)() = wait_outside.load(std::memory_order_relaxed);
  if (wait != nullptr && !is_inside_runtime()) wait();
}

void abandon_event() {
  ThreadState& thread = *tls_thread;
  if (thread.life != Life::kRunning) return;
  thread.set_state(kInside | kMarking, false);
}

}  // namespace omnium::runtime
