// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Critical sections, ordered sections and the locks of <omp.h>.
#include "runtime/interpose/openmp.h"
#include "runtime/interpose/real.h"

namespace omnium::runtime {
namespace {

OMNIUM_REAL_AS(real_critical_start, void(), "GOMP_critical_start");
OMNIUM_REAL_AS(real_critical_end, void(), "GOMP_critical_end");
OMNIUM_REAL_AS(real_critical_name_start, void(void**), "GOMP_critical_name_start");
OMNIUM_REAL_AS(real_critical_name_end, void(void**), "GOMP_critical_name_end");
OMNIUM_REAL_AS(real_atomic_start, void(), "GOMP_atomic_start");
OMNIUM_REAL_AS(real_atomic_end, void(), "GOMP_atomic_end");
OMNIUM_REAL_AS(real_ordered_start, void(), "GOMP_ordered_start");
OMNIUM_REAL_AS(real_ordered_end, void(), "GOMP_ordered_end");
OMNIUM_REAL_AS(real_init_lock, void(void*), "omp_init_lock");
OMNIUM_REAL_AS(real_destroy_lock, void(void*), "omp_destroy_lock");
OMNIUM_REAL_AS(real_set_lock, void(void*), "omp_set_lock");
OMNIUM_REAL_AS(real_unset_lock, void(void*), "omp_unset_lock");
OMNIUM_REAL_AS(real_test_lock, int(void*), "omp_test_lock");

// Of libgomp's omp_nest_lock_t.
struct NestLock {
  int lock;
  int count;
  void* owner;
};
OMNIUM_REAL_AS(real_init_nest_lock, void(NestLock*), "omp_init_nest_lock");
OMNIUM_REAL_AS(real_destroy_nest_lock, void(NestLock*), "omp_destroy_nest_lock");
OMNIUM_REAL_AS(real_set_nest_lock, void(NestLock*), "omp_set_nest_lock");
OMNIUM_REAL_AS(real_unset_nest_lock, void(NestLock*), "omp_unset_nest_lock");
OMNIUM_REAL_AS(real_test_nest_lock, int(NestLock*), "omp_test_nest_lock");

// Their addresses name the locks of sections without a name.
alignas(8) char critical_section;
alignas(8) char atomic_section;

}  // namespace

OMNIUM_INTERPOSE void GOMP_critical_start() {
  real_critical_start();
  acquire(&critical_section, OMNIUM_USER_PC());
}
OMNIUM_INTERPOSE void GOMP_critical_end() {
  release(&critical_section, OMNIUM_USER_PC());
  real_critical_end();
}
OMNIUM_INTERPOSE void GOMP_critical_name_start(void** name) {
  real_critical_name_start(name);
  acquire(name, OMNIUM_USER_PC());
}
OMNIUM_INTERPOSE void GOMP_critical_name_end(void** name) {
  release(name, OMNIUM_USER_PC());
  real_critical_name_end(name);
}
OMNIUM_INTERPOSE void GOMP_atomic_start() {
  real_atomic_start();
  acquire(&atomic_section, OMNIUM_USER_PC());
}
OMNIUM_INTERPOSE void GOMP_atomic_end() {
  release(&atomic_section, OMNIUM_USER_PC());
  real_atomic_end();
}

// Sections of one iteration after the other: a lock that is handed on in that order.
OMNIUM_INTERPOSE void GOMP_ordered_start() {
  real_ordered_start();
  if (tls_member != nullptr) acquire(&tls_member->team->ordered, OMNIUM_USER_PC());
}
OMNIUM_INTERPOSE void GOMP_ordered_end() {
  if (tls_member != nullptr) release(&tls_member->team->ordered, OMNIUM_USER_PC());
  real_ordered_end();
}

OMNIUM_INTERPOSE void omp_init_lock(void* lock) {
  forget_lock(lock);
  real_init_lock(lock);
}
OMNIUM_INTERPOSE void omp_destroy_lock(void* lock) {
  real_destroy_lock(lock);
  forget_lock(lock);
}
OMNIUM_INTERPOSE void omp_set_lock(void* lock) {
  real_set_lock(lock);
  acquire(lock, OMNIUM_USER_PC());
}
OMNIUM_INTERPOSE void omp_unset_lock(void* lock) {
  release(lock, OMNIUM_USER_PC());
  real_unset_lock(lock);
}
OMNIUM_INTERPOSE int omp_test_lock(void* lock) {
  const int taken = real_test_lock(lock);
  if (taken != 0) acquire(lock, OMNIUM_USER_PC());
  return taken;
}

OMNIUM_INTERPOSE void omp_init_nest_lock(NestLock* lock) {
  forget_lock(lock);
  real_init_nest_lock(lock);
}
OMNIUM_INTERPOSE void omp_destroy_nest_lock(NestLock* lock) {
  real_destroy_nest_lock(lock);
  forget_lock(lock);
}
OMNIUM_INTERPOSE void omp_set_nest_lock(NestLock* lock) {
  real_set_nest_lock(lock);
  if (lock->count == 1) acquire(lock, OMNIUM_USER_PC());
}
OMNIUM_INTERPOSE void omp_unset_nest_lock(NestLock* lock) {
  if (lock->count == 1) release(lock, OMNIUM_USER_PC());
  real_unset_nest_lock(lock);
}
OMNIUM_INTERPOSE int omp_test_nest_lock(NestLock* lock) {
  const int count = real_test_nest_lock(lock);
  if (count == 1) acquire(lock, OMNIUM_USER_PC());
  return count;
}

}  // namespace omnium::runtime
