// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/condition.h"

#include <time.h>

#include "runtime/interpose/objects.h"
#include "runtime/interpose/points.h"
#include "runtime/interpose/real.h"

namespace omnium::runtime {
namespace {

OMNIUM_REAL(pthread_cond_wait);
OMNIUM_REAL(pthread_cond_timedwait);
OMNIUM_REAL(pthread_cond_clockwait);
OMNIUM_REAL(pthread_cond_signal);
OMNIUM_REAL(pthread_cond_broadcast);
OMNIUM_REAL(pthread_cond_destroy);

// A notification wakes threads that began to wait before it: one of them, or all.
struct Notification {
  std::uint64_t below;   // the tickets of the threads that it may wake; 0: there is none
  std::uint64_t number;  // among those of the condition, from 1
  bool all;
  bool under_way;  // it may not have happened yet
  Meeting meeting;
};

struct Condition {
  static constexpr std::size_t kKept = 8;  // notifications that nobody has awaited yet

  const void* address;
  std::uint64_t tickets;  // given out
  std::uint64_t waiting;  // threads that wait
  std::uint64_t sent;     // notifications
  Notification notifications[kKept];

  void clear() {
    tickets = waiting = sent = 0;
    for (Notification& each : notifications) {
      if (each.below != 0) reset(each.meeting);
      each.below = each.number = 0;
    }
  }

  Notification& at(std::uint64_t number) { return notifications[number % kKept]; }

  // The oldest notification that has woken the thread; null if there is none. The only one that is
  // under way must have happened. `doubtful`: there are several.
  Notification* find(std::uint64_t ticket, bool& doubtful) {
    Notification* candidate = nullptr;
    doubtful = false;
    for (std::uint64_t i = sent < kKept ? 1 : sent - kKept + 1; i <= sent; ++i) {
      Notification& each = at(i);
      if (ticket >= each.below) continue;
      if (!each.under_way) return &each;
      doubtful = candidate != nullptr;
      candidate = &each;
    }
    return doubtful ? nullptr : candidate;
  }
};
ObjectTable<Condition, 1 << 10> conditions;

// glibc keeps it in the second bit.
clockid_t clock_of(const pthread_cond_t& condition) {
  return (condition.__data.__wrefs & 2) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

}  // namespace

std::uint64_t notification_begins(const void* condition, bool all, Pc pc) {
  const ObjectsLock lock;
  Condition* known = lock ? conditions.find(condition) : nullptr;
  if (known == nullptr || known->waiting == 0) return 0;
  Notification& fresh = known->at(++known->sent);
  if (fresh.below != 0) reset(fresh.meeting);
  fresh.below = known->tickets + 1;
  fresh.number = known->sent;
  fresh.all = all;
  fresh.under_way = true;
  contribute(fresh.meeting, condition, pc);
  return fresh.number;
}

void notification_ends(const void* condition, std::uint64_t number) {
  const ObjectsLock lock;
  Condition* known = lock ? conditions.find(condition) : nullptr;
  if (known != nullptr && known->at(number).number == number) known->at(number).under_way = false;
}

std::uint64_t starts_waiting(const void* condition) {
  const ObjectsLock lock;
  if (!lock) return 0;
  note_object(condition);
  Condition& known = conditions.find_or_insert(condition);
  ++known.waiting;
  return ++known.tickets;
}

void stops_waiting(const void* condition, std::uint64_t ticket, bool woken, Pc pc) {
  Patience patience;
  for (bool patient = true;; patient = patience.pause()) {
    const ObjectsLock lock;
    Condition* known = lock && ticket != 0 ? conditions.find(condition) : nullptr;
    if (known == nullptr || ticket > known->tickets) return;
    bool doubtful = false;
    Notification* found = woken ? known->find(ticket, doubtful) : nullptr;
    if (found == nullptr && doubtful && patient) continue;
    if (known->waiting > 0) --known->waiting;
    if (found == nullptr) return;
    collect(found->meeting, condition, pc);
    if (found->all) return;
    reset(found->meeting);
    found->below = 0;
    return;
  }
}

void forget_condition(const void* condition) {
  const ObjectsLock lock;
  if (lock) conditions.forget(condition);
}

void forget_conditions(std::uintptr_t begin, std::uintptr_t end) {
  conditions.forget_range(begin, end);
}

OMNIUM_INTERPOSE int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  OMNIUM_BEFORE_ACQUIRE(condition);
  return notify(condition, false, OMNIUM_USER_PC(),
                [&] { return real_pthread_cond_signal(condition); });
}

OMNIUM_INTERPOSE int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  OMNIUM_BEFORE_ACQUIRE(condition);
  return notify(condition, true, OMNIUM_USER_PC(),
                [&] { return real_pthread_cond_broadcast(condition); });
}

OMNIUM_INTERPOSE int pthread_cond_destroy(pthread_cond_t* condition) noexcept {
  forget_condition(condition);
  return real_pthread_cond_destroy(condition);
}

OMNIUM_INTERPOSE int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  OMNIUM_BEFORE_ACQUIRE(condition);
  return wait_on_condition(condition, mutex, OMNIUM_USER_PC(), [&] {
    return wait_serially(condition, mutex,
                         [&] { return real_pthread_cond_wait(condition, mutex); });
  });
}

OMNIUM_INTERPOSE int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                            const timespec* deadline) {
  OMNIUM_BEFORE_ACQUIRE(condition);
  return wait_on_condition(condition, mutex, OMNIUM_USER_PC(), [&] {
    return wait_serially_until(condition, mutex, clock_of(*condition), deadline, [&] {
      return real_pthread_cond_timedwait(condition, mutex, deadline);
    });
  });
}

OMNIUM_INTERPOSE int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                            clockid_t clock, const timespec* deadline) {
  OMNIUM_BEFORE_ACQUIRE(condition);
  return wait_on_condition(condition, mutex, OMNIUM_USER_PC(), [&] {
    return wait_serially_until(condition, mutex, clock, deadline, [&] {
      return real_pthread_cond_clockwait(condition, mutex, clock, deadline);
    });
  });
}

}  // namespace omnium::runtime
