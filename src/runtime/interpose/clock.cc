// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Clocks that the program reads: in a serial run they may be virtual (schedule/virtual_clock.h).
#include <sys/time.h>
#include <time.h>

#include "runtime/interpose/real.h"
#include "runtime/schedule/virtual_clock.h"

namespace omnium::runtime {
namespace {

OMNIUM_REAL(clock_gettime);
OMNIUM_REAL(timespec_get);
OMNIUM_REAL_AS(real_gettimeofday, int(timeval*, void*), "gettimeofday");
OMNIUM_REAL_AS(real_time, time_t(time_t*), "time");

timespec looked_at(clockid_t clock, Pc pc) {
  clock_is_read(pc);
  return time_now(clock);
}

}  // namespace

OMNIUM_INTERPOSE int clock_gettime(clockid_t clock, timespec* time) noexcept {
  if (!time_is_virtual()) [[likely]]
    return real_clock_gettime(clock, time);
  // Negative ones measure processors.
  if (clock < 0 || clock > CLOCK_TAI) return real_clock_gettime(clock, time);
  *time = looked_at(clock, OMNIUM_USER_PC());
  return 0;
}

OMNIUM_INTERPOSE int timespec_get(timespec* time, int base) noexcept {
  if (!time_is_virtual() || base != TIME_UTC) [[likely]]
    return real_timespec_get(time, base);
  *time = looked_at(CLOCK_REALTIME, OMNIUM_USER_PC());
  return base;
}

OMNIUM_INTERPOSE int gettimeofday(timeval* time, void* zone) noexcept {
  if (!time_is_virtual()) [[likely]]
    return real_gettimeofday(time, zone);
  const timespec now = looked_at(CLOCK_REALTIME, OMNIUM_USER_PC());
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

OMNIUM_INTERPOSE time_t time(time_t* also) noexcept {
  if (!time_is_virtual()) [[likely]]
    return real_time(also);
  const timespec now = looked_at(CLOCK_REALTIME, OMNIUM_USER_PC());
  if (also != nullptr) *also = now.tv_sec;
  return now.tv_sec;
}

}  // namespace omnium::runtime
