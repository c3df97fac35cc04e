// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// pthread_once, which std::call_once calls, and C11's call_once. What a library does once for
// itself, such as the C++ library its first locale, is nothing that the program does.
#include "runtime/interpose/once.h"

#include <pthread.h>
#include <threads.h>

#include "runtime/interpose/objects.h"
#include "runtime/interpose/real.h"

namespace omnium::runtime {
namespace {

OMNIUM_REAL(pthread_once);
OMNIUM_REAL(call_once);

struct OnceFlag {
  const void* address;
  Meeting meeting;
  void clear() { reset(meeting); }
};
ObjectTable<OnceFlag, 1 << 10> flags;

struct OnceCall {
  const void* flag;
  void (*run)();
  Pc pc;
  OnceCall* around;
  bool ran;  // by this call
};
// The innermost call of this thread. After an exception it may point to a frame that does not exist
// any more, but the next call sets it before it is read.
thread_local OnceCall* tls_call __attribute__((tls_model("initial-exec"))) = nullptr;

void run_once() {
  OnceCall& call = *tls_call;
  call.ran = true;
  call.run();
  once_done(call.flag, sizeof(pthread_once_t), call.pc);
}

// glibc sets this bit of the flag when the run is done.
bool is_done(const void* flag) {
  return (__atomic_load_n(static_cast<const int*>(flag), __ATOMIC_ACQUIRE) & 2) != 0;
}

template <typename RealOnce>
int call_once_with(const void* flag, void (*run)(), Pc pc, RealOnce real_once) {
  const bool done_before = is_done(flag);
  OnceCall call{flag, run, pc, tls_call, false};
  tls_call = &call;
  const int result = real_once(run_once);
  tls_call = call.around;
  if (result == 0) {
    once_relied_on(flag, sizeof(pthread_once_t), !done_before && !call.ran, pc);
  }
  return result;
}

}  // namespace

void once_done(const void* flag, std::size_t size, Pc pc) {
  if (!is_instrumented_code(pc)) return;
  write_anew(flag, size, pc);
  const ObjectsLock lock;
  if (!lock) return;
  note_object(flag);
  contribute(flags.insert(flag).meeting, flag, pc);
}

void once_relied_on(const void* flag, std::size_t size, bool waited, Pc pc) {
  if (!is_instrumented_code(pc)) return;
  {
    const ObjectsLock lock;
    OnceFlag* known = lock ? flags.find(flag) : nullptr;
    if (known != nullptr) {
      waited ? collect(known->meeting, flag, pc) : follow(known->meeting, flag, pc);
    }
  }
  read_atomically(flag, size, pc);
}

void forget_once_flags(std::uintptr_t begin, std::uintptr_t end) { flags.forget_range(begin, end); }

OMNIUM_INTERPOSE int pthread_once(pthread_once_t* flag, void (*run)()) {
  return call_once_with(flag, run, OMNIUM_USER_PC(),
                        [&](void (*body)()) { return real_pthread_once(flag, body); });
}

OMNIUM_INTERPOSE void call_once(once_flag* flag, void (*run)()) {
  call_once_with(flag, run, OMNIUM_USER_PC(), [&](void (*body)()) {
    real_call_once(flag, body);
    return 0;
  });
}

}  // namespace omnium::runtime
