// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/condition.h"

#include <time.h>

#include "runtime/interpose/real.h"

namespace omnium::runtime {
namespace {

OMNIUM_REAL(pthread_cond_wait);
OMNIUM_REAL(pthread_cond_timedwait);
OMNIUM_REAL(pthread_cond_clockwait);

}  // namespace

OMNIUM_INTERPOSE int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  return wait_on_condition(mutex, OMNIUM_USER_PC(),
                           [&] { return real_pthread_cond_wait(condition, mutex); });
}

OMNIUM_INTERPOSE int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                            const timespec* deadline) {
  return wait_on_condition(mutex, OMNIUM_USER_PC(),
                           [&] { return real_pthread_cond_timedwait(condition, mutex, deadline); });
}

OMNIUM_INTERPOSE int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                            clockid_t clock, const timespec* deadline) {
  return wait_on_condition(mutex, OMNIUM_USER_PC(), [&] {
    return real_pthread_cond_clockwait(condition, mutex, clock, deadline);
  });
}

}  // namespace omnium::runtime
