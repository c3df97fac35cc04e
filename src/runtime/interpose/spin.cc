// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <pthread.h>

#include "runtime/interpose/points.h"
#include "runtime/interpose/real.h"
#include "runtime/interpose/serially.h"

namespace omnium::runtime {
namespace {

OMNIUM_REAL(pthread_spin_init);
OMNIUM_REAL(pthread_spin_destroy);
OMNIUM_REAL(pthread_spin_lock);
OMNIUM_REAL(pthread_spin_trylock);
OMNIUM_REAL(pthread_spin_unlock);

const void* name_of(pthread_spinlock_t* lock) { return const_cast<const int*>(lock); }

}  // namespace

OMNIUM_INTERPOSE int pthread_spin_init(pthread_spinlock_t* lock, int shared) noexcept {
  forget_lock(name_of(lock));
  return real_pthread_spin_init(lock, shared);
}

OMNIUM_INTERPOSE int pthread_spin_destroy(pthread_spinlock_t* lock) noexcept {
  forget_lock(name_of(lock));
  return real_pthread_spin_destroy(lock);
}

OMNIUM_INTERPOSE int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  OMNIUM_BEFORE_ACQUIRE(name_of(lock));
  const int result = take_serially(
      name_of(lock), [&] { return real_pthread_spin_trylock(lock); },
      [&] { return real_pthread_spin_lock(lock); });
  if (result == 0) acquire(name_of(lock), OMNIUM_USER_PC());
  return result;
}

OMNIUM_INTERPOSE int pthread_spin_trylock(pthread_spinlock_t* lock) noexcept {
  OMNIUM_BEFORE_ACQUIRE(name_of(lock));
  const int result = real_pthread_spin_trylock(lock);
  if (result == 0) tried(name_of(lock), OMNIUM_USER_PC());
  if (result == 0) acquire(name_of(lock), OMNIUM_USER_PC());
  if (points_matter && result == EBUSY) nothing_changed();
  if (result == EBUSY) busy(name_of(lock), OMNIUM_USER_PC());
  return result;
}

OMNIUM_INTERPOSE int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
  release(name_of(lock), OMNIUM_USER_PC());
  const int result = real_pthread_spin_unlock(lock);
  released_serially(name_of(lock));
  return result;
}

}  // namespace omnium::runtime
