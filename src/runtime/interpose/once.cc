// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// pthread_once, which std::call_once calls, and C11's call_once.
#include "runtime/interpose/once.h"

#include <pthread.h>
#include <threads.h>

#include "runtime/interpose/real.h"

namespace omnium::runtime {
namespace {

OMNIUM_REAL(pthread_once);
OMNIUM_REAL(call_once);

struct OnceCall {
  const void* flag;
  void (*run)();
  Pc pc;
  OnceCall* around;
};
// The innermost call of this thread. After an exception it may point to a frame that does not exist
// any more, but the next call sets it before it is read.
thread_local OnceCall* tls_call __attribute__((tls_model("initial-exec"))) = nullptr;

void run_once() {
  const OnceCall call = *tls_call;
  call.run();
  once_done(call.flag, sizeof(pthread_once_t), call.pc);
}

}  // namespace

OMNIUM_INTERPOSE int pthread_once(pthread_once_t* flag, void (*run)()) {
  OnceCall call{flag, run, OMNIUM_USER_PC(), tls_call};
  tls_call = &call;
  const int result = real_pthread_once(flag, run_once);
  tls_call = call.around;
  if (result == 0) once_relied_on(flag, sizeof(pthread_once_t), call.pc);
  return result;
}

OMNIUM_INTERPOSE void call_once(once_flag* flag, void (*run)()) {
  OnceCall call{flag, run, OMNIUM_USER_PC(), tls_call};
  tls_call = &call;
  real_call_once(flag, run_once);
  tls_call = call.around;
  once_relied_on(flag, sizeof(pthread_once_t), call.pc);
}

}  // namespace omnium::runtime
