// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/mutex.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

#include "runtime/interpose/objects.h"
#include "runtime/interpose/points.h"
#include "runtime/interpose/real.h"
#include "runtime/interpose/serially.h"
#include "runtime/interpose/signals.h"
#include "runtime/state/thread.h"
#include "runtime/system/options.h"

namespace omnium::runtime {
namespace {

OMNIUM_REAL(pthread_mutex_init);
OMNIUM_REAL(pthread_mutex_destroy);
OMNIUM_REAL(pthread_mutex_lock);
OMNIUM_REAL(pthread_mutex_trylock);
OMNIUM_REAL(pthread_mutex_timedlock);
OMNIUM_REAL(pthread_mutex_clocklock);
OMNIUM_REAL(pthread_mutex_unlock);

// Bits of __kind, in glibc's pthreadP.h.
constexpr int kTypeMask = 3;
constexpr int kRobust = 16;

thread_local pid_t tls_number __attribute__((tls_model("initial-exec"))) = 0;

// A mutex that another thread than its holder has unlocked is used to hand something over: from
// then on its unlocks are signals and its locks await them.
struct HandedMutex {
  const void* address;
  SignalQueue signals;
  void clear() { signals.clear(); }
};
ObjectTable<HandedMutex, 1 << 8> handed_mutexes;
std::atomic<bool> any_handed{false};

// Calls use(signals) if the mutex is one of these. False if it is not.
template <typename Use>
bool use_handed(const pthread_mutex_t* mutex, Use use) {
  if (!any_handed.load(std::memory_order_relaxed)) return false;
  const ObjectsLock lock;
  HandedMutex* known = lock ? handed_mutexes.find(mutex) : nullptr;
  if (known != nullptr) use(known->signals);
  return known != nullptr;
}

// Does another thread hold the mutex, which this thread is about to unlock?
bool is_anothers(const pthread_mutex_t& mutex) {
  const int owner = __atomic_load_n(&mutex.__data.__owner, __ATOMIC_RELAXED);
  return owner != 0 && owner != thread_number();
}

void note_handed(const pthread_mutex_t* mutex) {
  const ObjectsLock lock;
  if (!lock) return;
  note_object(mutex);
  handed_mutexes.find_or_insert(mutex);
  any_handed.store(true, std::memory_order_relaxed);
}

// Does a lock or unlock of the thread make no difference? If not all blocks are judged, the mutexes
// of an idle thread need not be shown either (docs/runtime/sampling.md).
bool is_passed_over() {
  if (!options.samples || !tls_thread->is_idle()) [[likely]]
    return false;
  return !options.checks_locks && !options.sections_are_blocks && !points_matter &&
         tls_thread->log == nullptr && !any_handed.load(std::memory_order_relaxed);
}

void forget_mutex(const pthread_mutex_t* mutex) {
  forget_lock(mutex);
  if (!any_handed.load(std::memory_order_relaxed)) return;
  const ObjectsLock lock;
  if (lock) handed_mutexes.forget(mutex);
}

bool is_recursive(const pthread_mutex_t& mutex) {
  return (mutex.__data.__kind & kTypeMask) == PTHREAD_MUTEX_RECURSIVE;
}

// Does an unlock fail if the caller is not the owner?
bool checks_owner(const pthread_mutex_t& mutex) {
  const int kind = mutex.__data.__kind;
  const int type = kind & kTypeMask;
  return type == PTHREAD_MUTEX_RECURSIVE || type == PTHREAD_MUTEX_ERRORCHECK ||
         (kind & kRobust) != 0;
}

}  // namespace

pid_t thread_number() {
  if (tls_number == 0) tls_number = static_cast<pid_t>(syscall(SYS_gettid));
  return tls_number;
}

void forget_thread_number() { tls_number = 0; }

bool mutex_taken_anew(pthread_mutex_t* mutex, int result) {
  if (result != 0 && result != EOWNERDEAD) return false;
  return !is_recursive(*mutex) || mutex->__data.__count == 1;
}

bool mutex_to_be_left(pthread_mutex_t* mutex) {
  if (!checks_owner(*mutex)) return true;
  if (__atomic_load_n(&mutex->__data.__owner, __ATOMIC_RELAXED) != thread_number()) return false;
  return !is_recursive(*mutex) || mutex->__data.__count == 1;
}

void mutex_taken(pthread_mutex_t* mutex, int result, Pc pc) {
  const bool taken = mutex_taken_anew(mutex, result);
  if (taken && use_handed(mutex, [&](SignalQueue& queue) { queue.await_next(mutex, pc); })) return;
  if (taken) acquire(mutex, pc);
  if (result == EBUSY || result == ETIMEDOUT) busy(mutex, pc);
}

void mutex_tried(pthread_mutex_t* mutex, int result, Pc pc) {
  if (mutex_taken_anew(mutex, result)) tried(mutex, pc);
  mutex_taken(mutex, result, pc);
}

namespace {

void left(pthread_mutex_t* mutex, Pc pc) {
  if (use_handed(mutex, [&](SignalQueue& queue) { queue.send(mutex, pc); })) return;
  release(mutex, pc);
}

}  // namespace

void mutex_leaving(pthread_mutex_t* mutex, Pc pc) {
  if (!mutex_to_be_left(mutex)) return;
  if (is_anothers(*mutex)) note_handed(mutex);
  left(mutex, pc);
}

void leave_robust_mutexes(Pc pc) {
  constexpr int kMost = 2048;  // the kernel looks at as many
  robust_list_head* head = nullptr;
  std::size_t size = 0;
  if (syscall(SYS_get_robust_list, 0, &head, &size) != 0 || head == nullptr) return;
  robust_list* entry = head->list.next;
  for (int i = 0; i < kMost && entry != nullptr && entry != &head->list; ++i) {
    const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(entry) & ~std::uintptr_t{1};
    auto* const lock_word = reinterpret_cast<char*>(address) + head->futex_offset;
    left(reinterpret_cast<pthread_mutex_t*>(lock_word), pc);
    entry = reinterpret_cast<robust_list*>(address)->next;
  }
}

int unlock_for_wait(pthread_mutex_t* mutex) {
  const int result = real_pthread_mutex_unlock(mutex);
  released_serially(mutex);
  return result;
}

int lock_after_wait(pthread_mutex_t* mutex, bool blocks) {
  if (blocks) return real_pthread_mutex_lock(mutex);
  return take_serially(
      mutex, [&] { return real_pthread_mutex_trylock(mutex); },
      [&] { return real_pthread_mutex_lock(mutex); });
}

void forget_handed_mutexes(std::uintptr_t begin, std::uintptr_t end) {
  handed_mutexes.forget_range(begin, end);
}

OMNIUM_INTERPOSE int pthread_mutex_init(pthread_mutex_t* mutex,
                                        const pthread_mutexattr_t* attributes) noexcept {
  forget_mutex(mutex);
  return real_pthread_mutex_init(mutex, attributes);
}

OMNIUM_INTERPOSE int pthread_mutex_destroy(pthread_mutex_t* mutex) noexcept {
  const int result = real_pthread_mutex_destroy(mutex);
  if (result == 0) forget_mutex(mutex);
  return result;
}

OMNIUM_INTERPOSE int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  OMNIUM_BEFORE_ACQUIRE(mutex);
  const int result = take_serially(
      mutex, [&] { return real_pthread_mutex_trylock(mutex); },
      [&] { return real_pthread_mutex_lock(mutex); });
  if (is_passed_over()) return result;
  mutex_taken(mutex, result, OMNIUM_USER_PC());
  return result;
}

OMNIUM_INTERPOSE int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  OMNIUM_BEFORE_ACQUIRE(mutex);
  const int result = real_pthread_mutex_trylock(mutex);
  if (points_matter && result == EBUSY) nothing_changed();
  mutex_tried(mutex, result, OMNIUM_USER_PC());
  return result;
}

OMNIUM_INTERPOSE int pthread_mutex_timedlock(pthread_mutex_t* mutex,
                                             const timespec* deadline) noexcept {
  OMNIUM_BEFORE_ACQUIRE(mutex);
  const int result = take_serially_until(
      mutex, CLOCK_REALTIME, deadline, [&] { return real_pthread_mutex_trylock(mutex); },
      [&] { return real_pthread_mutex_timedlock(mutex, deadline); });
  mutex_tried(mutex, result, OMNIUM_USER_PC());
  return result;
}

OMNIUM_INTERPOSE int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                             const timespec* deadline) noexcept {
  OMNIUM_BEFORE_ACQUIRE(mutex);
  const int result = take_serially_until(
      mutex, clock, deadline, [&] { return real_pthread_mutex_trylock(mutex); },
      [&] { return real_pthread_mutex_clocklock(mutex, clock, deadline); });
  mutex_tried(mutex, result, OMNIUM_USER_PC());
  return result;
}

OMNIUM_INTERPOSE int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  if (is_passed_over() && !is_anothers(*mutex)) return real_pthread_mutex_unlock(mutex);
  mutex_leaving(mutex, OMNIUM_USER_PC());
  const int result = real_pthread_mutex_unlock(mutex);
  released_serially(mutex);
  return result;
}

}  // namespace omnium::runtime
