// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Static variables of functions. The compiler's code loads the first byte of the guard, and calls
// us only if the variable does not exist yet.
#include "runtime/interpose/once.h"
#include "runtime/interpose/real.h"

namespace omnium::runtime {
namespace {

OMNIUM_REAL_AS(real_guard_acquire, int(void*), "__cxa_guard_acquire");
OMNIUM_REAL_AS(real_guard_release, void(void*), "__cxa_guard_release");

}  // namespace

// Returns 1 if the caller must construct the variable.
OMNIUM_INTERPOSE int __cxa_guard_acquire(void* guard) {
  const int result = real_guard_acquire(guard);
  if (result == 0) once_relied_on(guard, 1, true, OMNIUM_USER_PC());
  return result;
}

OMNIUM_INTERPOSE void __cxa_guard_release(void* guard) {
  once_done(guard, 1, OMNIUM_USER_PC());
  real_guard_release(guard);
}

}  // namespace omnium::runtime
