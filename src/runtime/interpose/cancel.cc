// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Cancellation at any time (PTHREAD_CANCEL_ASYNCHRONOUS). The C library would unwind the stack at
// once, also out of the runtime. So for the C library such a thread has the deferred type. Who
// cancels it sends it the C library's own signal, and our handler, which waits until the thread is
// outside of the runtime, acts on it.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "runtime/interpose/real.h"
#include "runtime/interpose/signal_handler.h"
#include "runtime/system/spin_lock.h"

namespace omnium::runtime {
namespace {

OMNIUM_REAL(pthread_cancel);
OMNIUM_REAL(pthread_setcancelstate);

// The threads that may be cancelled at any time.
struct Listed {
  pthread_t handle;
  pid_t thread;
  Listed *next, **link;  // null if it is not in the list
};
Listed* first_listed = nullptr;
SpinLock list_lock;
thread_local Listed tls_listed __attribute__((tls_model("initial-exec"))) = {};
pthread_key_t end_key;

void unlist(void*) {
  const SpinGuard guard(list_lock);
  Listed& self = tls_listed;
  if (self.link == nullptr) return;
  *self.link = self.next;
  if (self.next != nullptr) self.next->link = self.link;
  self.link = nullptr;
}

void list() {
  pthread_setspecific(end_key, &tls_listed);
  const SpinGuard guard(list_lock);
  Listed& self = tls_listed;
  if (self.link != nullptr) return;
  self = {pthread_self(), static_cast<pid_t>(syscall(SYS_gettid)), first_listed, &first_listed};
  if (first_listed != nullptr) first_listed->link = &self.next;
  first_listed = &self;
}

bool is_listed() { return tls_listed.link != nullptr; }

[[gnu::constructor(101)]] void create_end_key() { pthread_key_create(&end_key, unlist); }

// glibc does not let a program see this signal, or change its handler.
constexpr int kCancelSignal = 32;

// As the kernel has it.
struct Action {
  void (*handler)(int, siginfo_t*, void*);
  std::uint64_t flags;
  void (*restorer)();
  std::uint64_t mask;
};
std::atomic<void (*)(int, siginfo_t*, void*)> real_handler{nullptr};

void on_cancel(int number, siginfo_t* info, void* context) {
  if (!may_handle_signal(number, *info, context)) return;
  if (is_listed()) return pthread_testcancel();
  const auto real = real_handler.load(std::memory_order_acquire);
  if (real != nullptr) real(number, info, context);
}

// The C library sets its handler when a thread is cancelled for the first time.
void replace_handler() {
  Action action;
  if (syscall(SYS_rt_sigaction, kCancelSignal, nullptr, &action, sizeof(action.mask)) != 0) return;
  if (action.handler == on_cancel || action.handler == nullptr) return;
  real_handler.store(action.handler, std::memory_order_release);
  action.handler = on_cancel;
  syscall(SYS_rt_sigaction, kCancelSignal, &action, nullptr, sizeof(action.mask));
}

}  // namespace

void keep_only_this_thread() {
  Listed& self = tls_listed;
  first_listed = is_listed() ? &self : nullptr;
  if (!is_listed()) return;
  self.thread = static_cast<pid_t>(syscall(SYS_gettid));
  self.next = nullptr;
  self.link = &first_listed;
}

void lock_cancellation() { list_lock.lock(); }
void unlock_cancellation() { list_lock.unlock(); }

OMNIUM_INTERPOSE int pthread_cancel(pthread_t handle) {
  const int result = real_pthread_cancel(handle);
  if (result != 0) return result;
  const SpinGuard guard(list_lock);
  replace_handler();
  for (const Listed* it = first_listed; it != nullptr; it = it->next) {
    if (pthread_equal(it->handle, handle) != 0) {
      syscall(SYS_tgkill, getpid(), it->thread, kCancelSignal);
    }
  }
  return 0;
}

OMNIUM_INTERPOSE int pthread_setcanceltype(int type, int* old) {
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  if (old != nullptr) *old = is_listed() ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
  if (type == PTHREAD_CANCEL_DEFERRED) {
    unlist(nullptr);
  } else {
    list();
    pthread_testcancel();
  }
  return 0;
}

OMNIUM_INTERPOSE int pthread_setcancelstate(int state, int* old) {
  const int result = real_pthread_setcancelstate(state, old);
  if (result == 0 && state == PTHREAD_CANCEL_ENABLE && is_listed()) pthread_testcancel();
  return result;
}

}  // namespace omnium::runtime
