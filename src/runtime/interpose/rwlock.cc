// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Reader-writer locks. std::shared_mutex is made of one.
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "runtime/interpose/mutex.h"
#include "runtime/interpose/points.h"
#include "runtime/interpose/real.h"
#include "runtime/interpose/serially.h"

namespace omnium::runtime {
namespace {

OMNIUM_REAL(pthread_rwlock_init);
OMNIUM_REAL(pthread_rwlock_destroy);
OMNIUM_REAL(pthread_rwlock_rdlock);
OMNIUM_REAL(pthread_rwlock_tryrdlock);
OMNIUM_REAL(pthread_rwlock_timedrdlock);
OMNIUM_REAL(pthread_rwlock_clockrdlock);
OMNIUM_REAL(pthread_rwlock_wrlock);
OMNIUM_REAL(pthread_rwlock_trywrlock);
OMNIUM_REAL(pthread_rwlock_timedwrlock);
OMNIUM_REAL(pthread_rwlock_clockwrlock);
OMNIUM_REAL(pthread_rwlock_unlock);

// glibc decides in the same way what an unlock means.
bool written_by_this_thread(pthread_rwlock_t* lock) {
  return __atomic_load_n(&lock->__data.__cur_writer, __ATOMIC_RELAXED) == thread_number();
}

}  // namespace

#define OMNIUM_TAKE_LOCK(take, is_try, real)                                \
  OMNIUM_BEFORE_ACQUIRE(lock);                                              \
  const int result = real;                                                  \
  if (result == 0 && is_try) tried(lock, OMNIUM_USER_PC());                 \
  if (result == 0) take(lock, OMNIUM_USER_PC());                            \
  if (points_matter && result == EBUSY) nothing_changed();                  \
  if (result == EBUSY || result == ETIMEDOUT) busy(lock, OMNIUM_USER_PC()); \
  return result
#define OMNIUM_TAKE_SERIALLY(name)                               \
  take_serially(                                                 \
      lock, [&] { return real_pthread_rwlock_try##name(lock); }, \
      [&] { return real_pthread_rwlock_##name(lock); })
#define OMNIUM_TAKE_SERIALLY_UNTIL(name, clock_id, real)                             \
  take_serially_until(                                                               \
      lock, clock_id, deadline, [&] { return real_pthread_rwlock_try##name(lock); }, \
      [&] { return real; })
#define OMNIUM_READ_LOCK(real) OMNIUM_TAKE_LOCK(read_acquire, false, real)
#define OMNIUM_TRY_READ_LOCK(real) OMNIUM_TAKE_LOCK(read_acquire, true, real)
#define OMNIUM_WRITE_LOCK(real) OMNIUM_TAKE_LOCK(write_acquire, false, real)
#define OMNIUM_TRY_WRITE_LOCK(real) OMNIUM_TAKE_LOCK(write_acquire, true, real)

OMNIUM_INTERPOSE int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  OMNIUM_READ_LOCK(OMNIUM_TAKE_SERIALLY(rdlock));
}

OMNIUM_INTERPOSE int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) noexcept {
  OMNIUM_TRY_READ_LOCK(real_pthread_rwlock_tryrdlock(lock));
}

OMNIUM_INTERPOSE int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock,
                                                const timespec* deadline) noexcept {
  OMNIUM_TRY_READ_LOCK(OMNIUM_TAKE_SERIALLY_UNTIL(rdlock, CLOCK_REALTIME,
                                                  real_pthread_rwlock_timedrdlock(lock, deadline)));
}

OMNIUM_INTERPOSE int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                                                const timespec* deadline) noexcept {
  OMNIUM_TRY_READ_LOCK(OMNIUM_TAKE_SERIALLY_UNTIL(
      rdlock, clock, real_pthread_rwlock_clockrdlock(lock, clock, deadline)));
}

OMNIUM_INTERPOSE int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  OMNIUM_WRITE_LOCK(OMNIUM_TAKE_SERIALLY(wrlock));
}

OMNIUM_INTERPOSE int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) noexcept {
  OMNIUM_TRY_WRITE_LOCK(real_pthread_rwlock_trywrlock(lock));
}

OMNIUM_INTERPOSE int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock,
                                                const timespec* deadline) noexcept {
  OMNIUM_TRY_WRITE_LOCK(OMNIUM_TAKE_SERIALLY_UNTIL(
      wrlock, CLOCK_REALTIME, real_pthread_rwlock_timedwrlock(lock, deadline)));
}

OMNIUM_INTERPOSE int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                                                const timespec* deadline) noexcept {
  OMNIUM_TRY_WRITE_LOCK(OMNIUM_TAKE_SERIALLY_UNTIL(
      wrlock, clock, real_pthread_rwlock_clockwrlock(lock, clock, deadline)));
}

OMNIUM_INTERPOSE int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
  const Pc pc = OMNIUM_USER_PC();
  written_by_this_thread(lock) ? write_release(lock, pc) : read_release(lock, pc);
  const int result = real_pthread_rwlock_unlock(lock);
  released_serially(lock);
  return result;
}

OMNIUM_INTERPOSE int pthread_rwlock_init(pthread_rwlock_t* lock,
                                         const pthread_rwlockattr_t* attributes) noexcept {
  forget_lock(lock);
  return real_pthread_rwlock_init(lock, attributes);
}

OMNIUM_INTERPOSE int pthread_rwlock_destroy(pthread_rwlock_t* lock) noexcept {
  const int result = real_pthread_rwlock_destroy(lock);
  if (result == 0) forget_lock(lock);
  return result;
}

}  // namespace omnium::runtime
