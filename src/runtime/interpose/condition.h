// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// To wait on a condition releases the mutex and acquires it again, also if the wait times out or is
// cancelled.
#pragma once

#include <errno.h>
#include <pthread.h>

#include "runtime/interpose/mutex.h"

namespace omnium::runtime {

struct Wait {
  pthread_mutex_t* mutex;
  Pc pc;
  bool left;  // the mutex was released
};

// The C library has acquired the mutex again when this runs.
inline void wait_cancelled(void* pointer) {
  const Wait& wait = *static_cast<Wait*>(pointer);
  if (wait.left) wait_ends(wait.mutex, wait.pc);
}

// `real_wait` is the C library's wait. It returns without the mutex only if the mutex cannot be
// recovered.
template <typename RealWait>
int wait_on_condition(pthread_mutex_t* mutex, Pc pc, RealWait real_wait) {
  Wait wait{mutex, pc, mutex_to_be_left(mutex)};
  if (wait.left) wait_begins(mutex, pc);
  int result = 0;
  pthread_cleanup_push(wait_cancelled, &wait);
  result = real_wait();
  pthread_cleanup_pop(0);
  if (wait.left && result != ENOTRECOVERABLE) wait_ends(mutex, pc);
  return result;
}

}  // namespace omnium::runtime
