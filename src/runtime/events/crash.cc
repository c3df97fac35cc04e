// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/events/crash.h"

#include <unistd.h>
#include <unwind.h>

#include <csignal>

#include "runtime/online/report.h"
#include "runtime/state/modules.h"
#include "runtime/system/channel.h"
#include "runtime/system/options.h"

// The C library's own function. The one without underscores is interposed, for the program.
extern "C" int __sigaction(int number, const struct sigaction* action, struct sigaction* old);

namespace omnium::runtime {

namespace {

// Stops at the innermost frame of instrumented code. Where a signal came, the address is that of
// the instruction itself.
_Unwind_Reason_Code find_own_code(_Unwind_Context* context, void* found) {
  int is_exact = 0;
  const Pc pc = _Unwind_GetIPInfo(context, &is_exact);
  if (!is_instrumented_code(pc)) return _URC_NO_REASON;
  *static_cast<Pc*>(found) = is_exact != 0 ? pc + 1 : pc;
  return _URC_END_OF_STACK;
}

void tell_place() {
  Pc pc = 0;
  _Unwind_Backtrace(find_own_code, &pc);
  if (pc == 0) return;
  send_modules();
  wire::CrashPlace& told = counters().crash_place;
  told.pc = pc;
  told.process.store(static_cast<std::uint32_t>(getpid()), std::memory_order_release);
}

// The last character stays zero.
template <std::size_t size>
void set_text(char (&to)[size], const char* text) {
  for (std::size_t i = 0; text != nullptr && i + 1 < size && text[i] != '\0'; ++i) to[i] = text[i];
}

// Afterwards the signal has its usual effect: the instruction that crashed runs again, or the
// signal is raised again.
void tell_and_go_on(int number, siginfo_t* info, void*) {
  if (options.flag(options.hunted)) tell_place();
  if (options.checks) send_all_findings();
  if (options.refines) send_refuted_functions();
  struct sigaction usual = {};
  usual.sa_handler = SIG_DFL;
  __sigaction(number, &usual, nullptr);
  if (info->si_code <= 0) raise(number);  // a process sent it, so no instruction would repeat it
}

}  // namespace

void assertion_fails(const char* condition, const char* file, unsigned line, const char* function) {
  if (!options.flag(options.hunted)) return;
  wire::FailedAssertion& told = counters().failed_assertion;
  if (told.taken.exchange(1) != 0) return;
  told.line = line;
  set_text(told.file, file);
  set_text(told.function, function);
  set_text(told.condition, condition);
  told.process.store(static_cast<std::uint32_t>(getpid()), std::memory_order_release);
}

bool is_crash_handler(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == tell_and_go_on;
}

void handle_crashes() {
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    struct sigaction now = {};
    if (__sigaction(number, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    struct sigaction ours = {};
    ours.sa_sigaction = tell_and_go_on;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    __sigaction(number, &ours, nullptr);
  }
}

}  // namespace omnium::runtime
