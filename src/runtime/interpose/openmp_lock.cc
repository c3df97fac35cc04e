// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Critical sections, ordered sections and the locks of <omp.h>.
#include "runtime/interpose/objects.h"
#include "runtime/interpose/openmp.h"
#include "runtime/interpose/points.h"
#include "runtime/interpose/real.h"
#include "runtime/interpose/serially.h"

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

// A nested lock of libgomp or libomp; each keeps the count in its own place.
struct NestLock;
OMNIUM_REAL_AS(real_init_nest_lock, void(NestLock*), "omp_init_nest_lock");
OMNIUM_REAL_AS(real_destroy_nest_lock, void(NestLock*), "omp_destroy_nest_lock");
OMNIUM_REAL_AS(real_set_nest_lock, void(NestLock*), "omp_set_nest_lock");
OMNIUM_REAL_AS(real_unset_nest_lock, void(NestLock*), "omp_unset_nest_lock");
OMNIUM_REAL_AS(real_test_nest_lock, int(NestLock*), "omp_test_nest_lock");

// Locks that are held, in runs with points: the library has no function that tries to take the lock
// of a section, and does not wait.
struct Held {
  const void* address;
  void clear() {}
};
ObjectTable<Held, 1 << 8> held_locks;

// False if somebody holds it.
bool note_taken(const void* lock) {
  const ObjectsLock objects;
  if (!objects) return true;
  if (held_locks.find(lock) != nullptr) return false;
  note_object(lock);
  held_locks.insert(lock);
  return true;
}
void note_given_back(const void* lock) {
  const ObjectsLock objects;
  if (objects) held_locks.forget(lock);
}

// `real` takes the lock.
template <typename Real>
void take(const void* lock, Pc pc, Real real) {
  if (points_matter) [[unlikely]] {
    before_acquire(lock, pc);
    while (is_serial_here() && !note_taken(lock)) {
      if (serial_wait(lock, 0) != SerialWait::kReal) continue;
      real();
      note_taken(lock);
      serial_back();
      return acquire(lock, pc);
    }
  }
  real();
  acquire(lock, pc);
}

template <typename Real>
void give_back(const void* lock, Pc pc, Real real) {
  release(lock, pc);
  real();
  if (!points_matter) [[likely]]
    return;
  note_given_back(lock);
  released_serially(lock);
}

// How often its owner, who alone changes it, has taken it.
struct NestedCount {
  const void* address;
  int count;
  void clear() { count = 0; }
};
ObjectTable<NestedCount, 1 << 8> nested_counts;

// The outermost ones are the first and the last.
bool is_first(const void* lock) {
  const ObjectsLock objects;
  note_object(lock);
  return ++nested_counts.find_or_insert(lock).count == 1;
}
bool is_last(const void* lock) {
  const ObjectsLock objects;
  NestedCount* const nested = nested_counts.find(lock);
  if (nested == nullptr || --nested->count > 0) return false;
  nested_counts.forget(lock);
  return true;
}

}  // namespace

void forget_openmp_locks(std::uintptr_t begin, std::uintptr_t end) {
  nested_counts.forget_range(begin, end);
  held_locks.forget_range(begin, end);
}

// The locks of sections without a name; reports call them so.
extern "C" {
[[gnu::visibility("hidden")]] alignas(8) char omp_critical;
[[gnu::visibility("hidden")]] alignas(8) char omp_atomic;
}

OMNIUM_INTERPOSE void GOMP_critical_start() {
  take(&omp_critical, OMNIUM_USER_PC(), [] { real_critical_start(); });
}
OMNIUM_INTERPOSE void GOMP_critical_end() {
  give_back(&omp_critical, OMNIUM_USER_PC(), [] { real_critical_end(); });
}
OMNIUM_INTERPOSE void GOMP_critical_name_start(void** name) {
  take(name, OMNIUM_USER_PC(), [&] { real_critical_name_start(name); });
}
OMNIUM_INTERPOSE void GOMP_critical_name_end(void** name) {
  give_back(name, OMNIUM_USER_PC(), [&] { real_critical_name_end(name); });
}
OMNIUM_INTERPOSE void GOMP_atomic_start() {
  take(&omp_atomic, OMNIUM_USER_PC(), [] { real_atomic_start(); });
}
OMNIUM_INTERPOSE void GOMP_atomic_end() {
  give_back(&omp_atomic, OMNIUM_USER_PC(), [] { real_atomic_end(); });
}

// Sections of one iteration after the other: a lock that is handed on in that order.
OMNIUM_INTERPOSE void GOMP_ordered_start() {
  call_away([] { real_ordered_start(); });
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
  take(lock, OMNIUM_USER_PC(), [&] { real_set_lock(lock); });
}
OMNIUM_INTERPOSE void omp_unset_lock(void* lock) {
  give_back(lock, OMNIUM_USER_PC(), [&] { real_unset_lock(lock); });
}
OMNIUM_INTERPOSE int omp_test_lock(void* lock) {
  const int taken = real_test_lock(lock);
  if (taken != 0 && points_matter) [[unlikely]]
    note_taken(lock);
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
  if (is_first(lock)) acquire(lock, OMNIUM_USER_PC());
}
OMNIUM_INTERPOSE void omp_unset_nest_lock(NestLock* lock) {
  if (is_last(lock)) release(lock, OMNIUM_USER_PC());
  real_unset_nest_lock(lock);
}
OMNIUM_INTERPOSE int omp_test_nest_lock(NestLock* lock) {
  const int count = real_test_nest_lock(lock);
  if (count != 0 && is_first(lock)) acquire(lock, OMNIUM_USER_PC());
  return count;
}

}  // namespace omnium::runtime
