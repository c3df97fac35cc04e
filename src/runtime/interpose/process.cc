// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The end of a process, and fork. fork is observed through pthread_atfork: our handlers are
// registered before the program's, so they run last before the fork and first after it. vfork needs
// nothing; its child works in the parent's memory, so its exit must not end the parent's run.
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/events/crash.h"
#include "runtime/events/fork.h"
#include "runtime/interpose/mutex.h"
#include "runtime/interpose/objects.h"
#include "runtime/interpose/real.h"
#include "runtime/interpose/signal_handler.h"
#include "runtime/interpose/thread.h"

namespace omnium::runtime {
namespace {

OMNIUM_REAL_AS(real__exit, void(int), "_exit");
OMNIUM_REAL_AS(real__Exit, void(int), "_Exit");
OMNIUM_REAL_AS(real_quick_exit, void(int), "quick_exit");
OMNIUM_REAL_AS(real_abort, void(), "abort");
OMNIUM_REAL(execve);
OMNIUM_REAL(execv);
OMNIUM_REAL(execvp);
OMNIUM_REAL(execvpe);
OMNIUM_REAL(fexecve);
OMNIUM_REAL(execveat);
OMNIUM_REAL_AS(real_assert_fail, void(const char*, const char*, unsigned, const char*),
               "__assert_fail");

pid_t process = 0;
thread_local bool tls_entered __attribute__((tls_model("initial-exec"))) = false;

void about_to_fork() {
  tls_entered = enter_objects();
  lock_signal_handlers();
  lock_cancellation();
  before_fork();
}

void leave_after_fork() {
  unlock_cancellation();
  unlock_signal_handlers();
  if (tls_entered) leave_objects();
}

void forked_in_parent() {
  after_fork_in_parent();
  leave_after_fork();
}

void forked_in_child() {
  process = getpid();
  forget_thread_number();
  keep_only_this_thread();
  forget_beginning_threads();
  after_fork_in_child();
  leave_after_fork();
}

[[gnu::constructor(102)]] void watch_process() {
  process = getpid();
  pthread_atfork(about_to_fork, forked_in_parent, forked_in_child);
}

[[gnu::destructor(101)]] void process_exits() { process_ends(); }

void end_unless_vforked() {
  if (process == getpid()) process_ends();
}

}  // namespace

#define OMNIUM_END(real) \
  end_unless_vforked();  \
  real;                  \
  __builtin_unreachable()

OMNIUM_INTERPOSE void _exit(int status) { OMNIUM_END(real__exit(status)); }
OMNIUM_INTERPOSE void _Exit(int status) noexcept { OMNIUM_END(real__Exit(status)); }
OMNIUM_INTERPOSE void quick_exit(int status) noexcept { OMNIUM_END(real_quick_exit(status)); }
OMNIUM_INTERPOSE void abort() noexcept { OMNIUM_END(real_abort()); }
OMNIUM_INTERPOSE void __assert_fail(const char* condition, const char* file, unsigned line,
                                    const char* function) noexcept {
  assertion_fails(condition, file, line, function);
  OMNIUM_END(real_assert_fail(condition, file, line, function));
}

OMNIUM_INTERPOSE int execve(const char* path, char* const arguments[],
                            char* const environment[]) noexcept {
  end_unless_vforked();
  return real_execve(path, arguments, environment);
}

OMNIUM_INTERPOSE int execv(const char* path, char* const arguments[]) noexcept {
  end_unless_vforked();
  return real_execv(path, arguments);
}

OMNIUM_INTERPOSE int execvp(const char* file, char* const arguments[]) noexcept {
  end_unless_vforked();
  return real_execvp(file, arguments);
}

OMNIUM_INTERPOSE int execvpe(const char* file, char* const arguments[],
                             char* const environment[]) noexcept {
  end_unless_vforked();
  return real_execvpe(file, arguments, environment);
}

OMNIUM_INTERPOSE int fexecve(int file, char* const arguments[],
                             char* const environment[]) noexcept {
  end_unless_vforked();
  return real_fexecve(file, arguments, environment);
}

OMNIUM_INTERPOSE int execveat(int folder, const char* path, char* const arguments[],
                              char* const environment[], int flags) noexcept {
  end_unless_vforked();
  return real_execveat(folder, path, arguments, environment, flags);
}

// Makes an array `arguments` of the arguments from `first` up to the null pointer. `after` stands
// behind the null pointer.
#define OMNIUM_LIST_ARGUMENTS(first, arguments, after)                                  \
  va_list after;                                                                        \
  va_start(after, first);                                                               \
  std::size_t count = 1;                                                                \
  if (first != nullptr) {                                                               \
    while (va_arg(after, const char*) != nullptr) ++count;                              \
  }                                                                                     \
  va_end(after);                                                                        \
  auto* arguments = static_cast<char**>(__builtin_alloca((count + 1) * sizeof(char*))); \
  va_start(after, first);                                                               \
  arguments[0] = const_cast<char*>(first);                                              \
  for (std::size_t i = 1; first != nullptr && i <= count; ++i) arguments[i] = va_arg(after, char*)

OMNIUM_INTERPOSE int execl(const char* path, const char* first, ...) noexcept {
  OMNIUM_LIST_ARGUMENTS(first, arguments, after);
  va_end(after);
  end_unless_vforked();
  return real_execv(path, arguments);
}

OMNIUM_INTERPOSE int execlp(const char* file, const char* first, ...) noexcept {
  OMNIUM_LIST_ARGUMENTS(first, arguments, after);
  va_end(after);
  end_unless_vforked();
  return real_execvp(file, arguments);
}

OMNIUM_INTERPOSE int execle(const char* path, const char* first, ...) noexcept {
  OMNIUM_LIST_ARGUMENTS(first, arguments, after);
  char* const* environment = va_arg(after, char* const*);
  va_end(after);
  end_unless_vforked();
  return real_execve(path, arguments, environment);
}

}  // namespace omnium::runtime
