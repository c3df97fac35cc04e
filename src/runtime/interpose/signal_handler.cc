// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Handlers of signals. All of the program's are called by one of ours, which makes a signal wait if
// its thread is inside the runtime. Whoever asks for a handler gets the program's own.
#include "runtime/interpose/signal_handler.h"

#include <errno.h>
#include <signal.h>

#include <atomic>

#include "runtime/events/crash.h"
#include "runtime/interpose/real.h"
#include "runtime/interpose/sent.h"
#include "runtime/schedule/point.h"
#include "runtime/system/spin_lock.h"

extern "C" {
int __sigaction(int number, const struct sigaction* action, struct sigaction* old);
sighandler_t __sysv_signal(int number, sighandler_t handler) noexcept;
sighandler_t bsd_signal(int number, sighandler_t handler) noexcept;
sighandler_t ssignal(int number, sighandler_t handler) noexcept;
sighandler_t sigset(int number, sighandler_t handler) noexcept;
}

namespace omnium::runtime {
namespace {

using Function = void (*)(int, siginfo_t*, void*);

struct Handler {
  std::atomic<Function> function{nullptr};
  std::atomic<int> flags{0};  // as the program gave them
};
Handler handlers[_NSIG];
SpinLock handlers_lock;

// A handler without SA_SIGINFO ignores all arguments but the first.
void on_signal(int number, siginfo_t* info, void* context) {
  if (!may_handle_signal(number, *info, context)) return;
  Handler& handler = handlers[number];
  const Function function = handler.function.load(std::memory_order_acquire);
  // The kernel must not do so, since the signal may come twice.
  if ((handler.flags.load(std::memory_order_relaxed) & SA_RESETHAND) != 0) {
    struct sigaction usual = {};
    usual.sa_handler = SIG_DFL;
    __sigaction(number, &usual, nullptr);
  }
  AtomicOperation* const paused = pause_operation();
  signal_received(reinterpret_cast<Pc>(function));
  {
    const NoPoints while_it_runs;
    function(number, info, context);
  }
  resume_operation(paused);
}

bool is_function(const struct sigaction& action) {
  return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

// What the program would see without us.
void show_own(struct sigaction& action, Function function, int flags) {
  if (is_crash_handler(action)) {
    action = {};
  } else if ((action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == on_signal) {
    action.sa_sigaction = function;
    constexpr int kChanged = SA_SIGINFO | SA_RESETHAND;
    action.sa_flags = (action.sa_flags & ~kChanged) | (flags & kChanged);
  }
}

int set_action(int number, const struct sigaction* action, struct sigaction* old) {
  if (number <= 0 || number >= _NSIG) return __sigaction(number, action, old);
  const SpinGuard guard(handlers_lock);
  Handler& handler = handlers[number];
  const Function function_before = handler.function.load(std::memory_order_relaxed);
  const int flags_before = handler.flags.load(std::memory_order_relaxed);
  struct sigaction ours;
  if (action != nullptr) ours = *action;
  const bool handled = action != nullptr && is_function(*action);
  if (handled && (action->sa_flags & SA_ONSTACK) != 0 && (number == SIGSEGV || number == SIGBUS)) {
    stack_probe.store(-kStackRoom, std::memory_order_relaxed);
  }
  if (handled) {
    handler.flags.store(action->sa_flags, std::memory_order_relaxed);
    handler.function.store(action->sa_sigaction, std::memory_order_release);
    ours.sa_sigaction = on_signal;
    ours.sa_flags = (ours.sa_flags | SA_SIGINFO) & ~SA_RESETHAND;
  }
  const int result = __sigaction(number, action == nullptr ? nullptr : &ours, old);
  if (result != 0 && handled) {
    handler.function.store(function_before, std::memory_order_release);
    handler.flags.store(flags_before, std::memory_order_relaxed);
  }
  if (result == 0 && old != nullptr) show_own(*old, function_before, flags_before);
  return result;
}

sighandler_t set_handler(int number, sighandler_t handler, int flags) {
  struct sigaction action = {}, old = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  if (handler == SIG_ERR || number <= 0 || number >= _NSIG) {
    errno = EINVAL;
    return SIG_ERR;
  }
  if ((flags & SA_NODEFER) == 0) sigaddset(&action.sa_mask, number);
  return set_action(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

}  // namespace

void lock_signal_handlers() { handlers_lock.lock(); }
void unlock_signal_handlers() { handlers_lock.unlock(); }

OMNIUM_INTERPOSE int sigaction(int number, const struct sigaction* action,
                               struct sigaction* old) noexcept {
  return set_action(number, action, old);
}

OMNIUM_INTERPOSE sighandler_t signal(int number, sighandler_t handler) noexcept {
  return set_handler(number, handler, SA_RESTART);
}
OMNIUM_INTERPOSE sighandler_t bsd_signal(int number, sighandler_t handler) noexcept {
  return set_handler(number, handler, SA_RESTART);
}
OMNIUM_INTERPOSE sighandler_t ssignal(int number, sighandler_t handler) noexcept {
  return set_handler(number, handler, SA_RESTART);
}

constexpr int kSystemV = SA_RESETHAND | SA_NODEFER | static_cast<int>(SA_INTERRUPT);

OMNIUM_INTERPOSE sighandler_t sysv_signal(int number, sighandler_t handler) noexcept {
  return set_handler(number, handler, kSystemV);
}
OMNIUM_INTERPOSE sighandler_t __sysv_signal(int number, sighandler_t handler) noexcept {
  return set_handler(number, handler, kSystemV);
}

// The disposition SIG_HOLD blocks the signal; every other one unblocks it.
OMNIUM_INTERPOSE sighandler_t sigset(int number, sighandler_t handler) noexcept {
  sigset_t set, before;
  sigemptyset(&set);
  if (sigaddset(&set, number) != 0) return SIG_ERR;
  struct sigaction old = {};
  const bool hold = handler == SIG_HOLD;
  if (hold) {
    set_action(number, nullptr, &old);
  } else {
    old.sa_handler = set_handler(number, handler, 0);
    if (old.sa_handler == SIG_ERR) return SIG_ERR;
  }
  if (sigprocmask(hold ? SIG_BLOCK : SIG_UNBLOCK, &set, &before) != 0) return SIG_ERR;
  return sigismember(&before, number) == 1 ? SIG_HOLD : old.sa_handler;
}

}  // namespace omnium::runtime
