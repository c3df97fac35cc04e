// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/events/crash.h"

#include <csignal>

#include "runtime/online/report.h"

// The C library's own function. The one without underscores is interposed, for the program.
extern "C" int __sigaction(int number, const struct sigaction* action, struct sigaction* old);

namespace omnium::runtime {

namespace {

// Afterwards the signal has its usual effect: the instruction that crashed runs again, or the
// signal is raised again.
void tell_and_go_on(int number, siginfo_t* info, void*) {
  send_all_findings();
  struct sigaction usual = {};
  usual.sa_handler = SIG_DFL;
  __sigaction(number, &usual, nullptr);
  if (info->si_code <= 0) raise(number);  // a process sent it, so no instruction would repeat it
}

}  // namespace

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
