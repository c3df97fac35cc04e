// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Threads, mutexes and conditions of C11. In glibc they are the POSIX ones under other names.
#include <errno.h>
#include <threads.h>
#include <time.h>

#include "runtime/interpose/condition.h"
#include "runtime/interpose/mutex.h"
#include "runtime/interpose/points.h"
#include "runtime/interpose/real.h"
#include "runtime/interpose/serially.h"
#include "runtime/interpose/thread.h"

namespace omnium::runtime {
namespace {

OMNIUM_REAL(thrd_create);
OMNIUM_REAL(thrd_join);
OMNIUM_REAL(thrd_detach);
OMNIUM_REAL(mtx_init);
OMNIUM_REAL(mtx_destroy);
OMNIUM_REAL(mtx_lock);
OMNIUM_REAL(mtx_trylock);
OMNIUM_REAL(mtx_timedlock);
OMNIUM_REAL(mtx_unlock);
OMNIUM_REAL(cnd_wait);
OMNIUM_REAL(cnd_timedwait);
OMNIUM_REAL(cnd_signal);
OMNIUM_REAL(cnd_broadcast);
OMNIUM_REAL(cnd_destroy);

pthread_mutex_t* posix(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }

int run_thread(void* pointer) {
  auto& record = *static_cast<ThreadRecord*>(pointer);
  thread_begins(&record);
  return reinterpret_cast<thrd_start_t>(reinterpret_cast<void*>(record.start))(record.argument);
}

}  // namespace

OMNIUM_INTERPOSE int thrd_create(thrd_t* handle, thrd_start_t start, void* argument) {
  auto* same_start = reinterpret_cast<void* (*)(void*)>(reinterpret_cast<void*>(start));
  ThreadRecord* record = new_thread_record(same_start, argument, OMNIUM_USER_PC());
  if (record == nullptr) return real_thrd_create(handle, start, argument);
  const int result = real_thrd_create(handle, run_thread, record);
  if (result != thrd_success) {
    thread_record_unused(record);
  } else {
    thread_created(record, *handle, false);
  }
  return result;
}

OMNIUM_INTERPOSE int thrd_join(thrd_t handle, int* value) {
  ThreadRecord* record = find_thread(handle);
  const int result = join_serially(record, [&] { return real_thrd_join(handle, value); });
  if (result == thrd_success && record != nullptr) thread_was_joined(record, OMNIUM_USER_PC());
  return result;
}

OMNIUM_INTERPOSE int thrd_detach(thrd_t handle) {
  ThreadRecord* record = find_thread(handle);
  const int result = real_thrd_detach(handle);
  if (result == thrd_success && record != nullptr) thread_was_detached(record);
  return result;
}

namespace {

// The result of a function of C11 as one of POSIX.
int posix_result(int result) {
  if (result == thrd_busy) return EBUSY;
  return result == thrd_timedout ? ETIMEDOUT : result;
}

}  // namespace

OMNIUM_INTERPOSE int mtx_init(mtx_t* mutex, int type) {
  forget_lock(mutex);
  return real_mtx_init(mutex, type);
}

OMNIUM_INTERPOSE void mtx_destroy(mtx_t* mutex) {
  real_mtx_destroy(mutex);
  forget_lock(mutex);
}

OMNIUM_INTERPOSE int mtx_lock(mtx_t* mutex) {
  OMNIUM_BEFORE_ACQUIRE(mutex);
  const int result = take_serially(
      mutex, [&] { return posix_result(real_mtx_trylock(mutex)); },
      [&] { return real_mtx_lock(mutex); });
  mutex_taken(posix(mutex), result, OMNIUM_USER_PC());
  return result;
}

OMNIUM_INTERPOSE int mtx_trylock(mtx_t* mutex) {
  OMNIUM_BEFORE_ACQUIRE(mutex);
  const int result = real_mtx_trylock(mutex);
  if (points_matter && result == thrd_busy) nothing_changed();
  mutex_tried(posix(mutex), posix_result(result), OMNIUM_USER_PC());
  return result;
}

OMNIUM_INTERPOSE int mtx_timedlock(mtx_t* mutex, const timespec* deadline) {
  OMNIUM_BEFORE_ACQUIRE(mutex);
  const int result = take_serially_until(
      mutex, CLOCK_REALTIME, deadline, [&] { return posix_result(real_mtx_trylock(mutex)); },
      [&] { return real_mtx_timedlock(mutex, deadline); });
  mutex_tried(posix(mutex), posix_result(result), OMNIUM_USER_PC());
  return result;
}

OMNIUM_INTERPOSE int mtx_unlock(mtx_t* mutex) {
  mutex_leaving(posix(mutex), OMNIUM_USER_PC());
  const int result = real_mtx_unlock(mutex);
  released_serially(mutex);
  return result;
}

OMNIUM_INTERPOSE int cnd_signal(cnd_t* condition) {
  OMNIUM_BEFORE_ACQUIRE(condition);
  return notify(condition, false, OMNIUM_USER_PC(), [&] { return real_cnd_signal(condition); });
}

OMNIUM_INTERPOSE int cnd_broadcast(cnd_t* condition) {
  OMNIUM_BEFORE_ACQUIRE(condition);
  return notify(condition, true, OMNIUM_USER_PC(), [&] { return real_cnd_broadcast(condition); });
}

OMNIUM_INTERPOSE void cnd_destroy(cnd_t* condition) {
  forget_condition(condition);
  real_cnd_destroy(condition);
}

OMNIUM_INTERPOSE int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  OMNIUM_BEFORE_ACQUIRE(condition);
  return wait_on_condition(condition, posix(mutex), OMNIUM_USER_PC(), [&] {
    return wait_serially(condition, posix(mutex), [&] { return real_cnd_wait(condition, mutex); });
  });
}

OMNIUM_INTERPOSE int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* deadline) {
  OMNIUM_BEFORE_ACQUIRE(condition);
  return wait_on_condition(condition, posix(mutex), OMNIUM_USER_PC(), [&] {
    const int result = wait_serially_until(condition, posix(mutex), CLOCK_REALTIME, deadline, [&] {
      return real_cnd_timedwait(condition, mutex, deadline);
    });
    return result == ETIMEDOUT ? thrd_timedout : result;
  });
}

}  // namespace omnium::runtime
