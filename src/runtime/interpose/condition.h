// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// To wait on a condition releases the mutex and acquires it again, also if the wait times out or is
// cancelled. Who is woken by a notification awaits it.
#pragma once

#include <errno.h>
#include <pthread.h>

#include <cstdint>

#include "runtime/interpose/mutex.h"
#include "runtime/interpose/serially.h"

namespace omnium::runtime {

// A thread begins to wait. The result goes to stops_waiting() when the wait ends.
std::uint64_t starts_waiting(const void* condition);
// `woken`: by a notification, or for no reason; not by a timeout.
void stops_waiting(const void* condition, std::uint64_t ticket, bool woken, Pc pc);

// Around the real notification of one thread, or of all that wait. If several are under way, who is
// woken waits until one of them is known to have happened. The number of the notification goes to
// notification_ends; 0 if nobody waits: then it is no event.
std::uint64_t notification_begins(const void* condition, bool all, Pc pc);
void notification_ends(const void* condition, std::uint64_t number);
template <typename RealNotify>
int notify(const void* condition, bool all, Pc pc, RealNotify real_notify) {
  const std::uint64_t number = notification_begins(condition, all, pc);
  const int result = real_notify();
  released_serially(condition, all);
  if (number != 0) notification_ends(condition, number);
  return result;
}
void forget_condition(const void* condition);

struct Wait {
  const void* condition;
  pthread_mutex_t* mutex;
  Pc pc;
  bool left;  // the mutex was released
  std::uint64_t ticket;
};

// The C library has acquired the mutex again when this runs.
inline void wait_cancelled(void* pointer) {
  const Wait& wait = *static_cast<Wait*>(pointer);
  stops_waiting(wait.condition, wait.ticket, false, wait.pc);
  if (wait.left) wait_ends(wait.mutex, wait.pc);
}

// `real_wait` is the C library's wait. It returns without the mutex only if the mutex cannot be
// recovered.
template <typename RealWait>
int wait_on_condition(const void* condition, pthread_mutex_t* mutex, Pc pc, RealWait real_wait) {
  Wait wait{condition, mutex, pc, mutex_to_be_left(mutex), 0};
  if (wait.left) wait_begins(mutex, pc);
  wait.ticket = starts_waiting(condition);
  int result = 0;
  pthread_cleanup_push(wait_cancelled, &wait);
  result = real_wait();
  pthread_cleanup_pop(0);
  stops_waiting(condition, wait.ticket, result == 0, pc);
  if (wait.left && result != ENOTRECOVERABLE) wait_ends(mutex, pc);
  return result;
}

// In a serial run the thread waits for the notification in give_way(), not in the C library, and
// takes the mutex again. If nobody can go on it does wait in the C library: `wait` is the real
// call.
template <typename GiveWay, typename RealWait>
int wait_serially_by(pthread_mutex_t* mutex, GiveWay give_way, RealWait wait) {
  if (const int failed = unlock_for_wait(mutex); failed != 0) return failed;
  const SerialWait how = give_way();
  const int locked = lock_after_wait(mutex, how == SerialWait::kReal);
  if (how == SerialWait::kReal) return block_serially(wait);
  return locked == 0 && how == SerialWait::kTimeout ? ETIMEDOUT : locked;
}

template <typename RealWait>
int wait_serially(const void* condition, pthread_mutex_t* mutex, RealWait wait) {
  if (!points_matter) [[likely]]
    return wait();
  if (!is_serial_here()) {
    const Blocked blocked(condition);
    return wait();
  }
  return wait_serially_by(
      mutex, [&] { return serial_wait(condition, 0); }, wait);
}

template <typename RealWait>
int wait_serially_until(const void* condition, pthread_mutex_t* mutex, clockid_t clock,
                        const timespec*& deadline, RealWait wait_for_ever) {
  const auto wait = [&] { return block_until(clock, deadline, wait_for_ever); };
  if (!points_matter || !is_serial_here()) [[likely]]
    return wait();
  return wait_serially_by(
      mutex,
      [&] {
        const SerialWait how = serial_wait(condition, micros_until(clock, *deadline));
        if (how == SerialWait::kTimeout) sleep_until(clock, *deadline);
        return how;
      },
      wait);
}

}  // namespace omnium::runtime
