// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Threads that sleep or yield the processor. In a serial run others go first.
#include <sched.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "runtime/interpose/real.h"
#include "runtime/interpose/serially.h"

namespace omnium::runtime {
namespace {

OMNIUM_REAL(sched_yield);
OMNIUM_REAL(thrd_yield);
OMNIUM_REAL(nanosleep);
OMNIUM_REAL(thrd_sleep);
OMNIUM_REAL(clock_nanosleep);
OMNIUM_REAL(usleep);
OMNIUM_REAL(sleep);

// Lets others go for so long. The real sleep lasts for what is left then.
void give_way(std::uint64_t micros) {
  static const char nobody_releases_it = 0;
  if (serial_wait(&nobody_releases_it, micros == 0 ? 1 : micros) == SerialWait::kReal)
    serial_back();
}

std::uint64_t micros_of(const timespec& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000u +
         static_cast<std::uint64_t>(time.tv_nsec) / 1000u;
}

bool is_time(const timespec* time) {
  return time != nullptr && time->tv_sec >= 0 && time->tv_nsec >= 0 &&
         time->tv_nsec < 1'000'000'000;
}

// Nobody sleeps by a virtual clock.
bool is_over_virtually() { return time_is_virtual() && is_serial_here(); }

// A sleep for some time, which may be interrupted. `sleep` is the real one, for any time.
template <typename Sleep>
int sleep_serially(const timespec* time, Sleep sleep) {
  if (!points_matter || !is_time(time)) [[likely]]
    return sleep(time);
  if (pass_time_alone(micros_of(*time))) return 0;
  if (!is_serial_here()) return sleep(time);
  const timespec begin = real_time_now(CLOCK_MONOTONIC);
  give_way(micros_of(*time));
  if (is_over_virtually()) return 0;
  const timespec now = real_time_now(CLOCK_MONOTONIC);
  const std::uint64_t gone = micros_of(now) - micros_of(begin), all = micros_of(*time);
  const std::uint64_t left = gone < all ? all - gone : 0;
  const timespec rest{static_cast<time_t>(left / 1'000'000u),
                      static_cast<long>(left % 1'000'000u * 1000u)};
  return sleep_with_token([&] { return sleep(&rest); });
}

}  // namespace

OMNIUM_INTERPOSE int sched_yield() noexcept {
  if (points_matter) [[unlikely]]
    serial_yield(OMNIUM_USER_PC());
  return real_sched_yield();
}

OMNIUM_INTERPOSE void thrd_yield() {
  if (points_matter) [[unlikely]]
    serial_yield(OMNIUM_USER_PC());
  real_thrd_yield();
}

OMNIUM_INTERPOSE int nanosleep(const timespec* time, timespec* left) {
  return sleep_serially(time, [&](const timespec* some) { return real_nanosleep(some, left); });
}

OMNIUM_INTERPOSE int thrd_sleep(const timespec* time, timespec* left) {
  return sleep_serially(time, [&](const timespec* some) { return real_thrd_sleep(some, left); });
}

OMNIUM_INTERPOSE int clock_nanosleep(clockid_t clock, int flags, const timespec* time,
                                     timespec* left) {
  const auto sleep = [&](const timespec* some) {
    return real_clock_nanosleep(clock, flags, some, left);
  };
  if (!points_matter || !is_time(time)) [[likely]]
    return sleep(time);
  if ((flags & TIMER_ABSTIME) == 0) return sleep_serially(time, sleep);
  if (pass_time_alone(micros_until(clock, *time))) return 0;
  if (!is_serial_here()) return block_until(clock, time, [&] { return sleep(time); });
  give_way(micros_until(clock, *time));
  if (is_over_virtually()) return 0;
  return sleep_with_token([&] { return block_until(clock, time, [&] { return sleep(time); }); });
}

OMNIUM_INTERPOSE int usleep(useconds_t micros) {
  const timespec time{static_cast<time_t>(micros / 1'000'000u),
                      static_cast<long>(micros % 1'000'000u) * 1000};
  return sleep_serially(&time, [&](const timespec* some) {
    return real_usleep(static_cast<useconds_t>(micros_of(*some)));
  });
}

OMNIUM_INTERPOSE unsigned sleep(unsigned seconds) {
  if (!points_matter || pass_time_alone(std::uint64_t{seconds} * 1'000'000u)) [[likely]]
    return points_matter ? 0 : real_sleep(seconds);
  if (!is_serial_here()) return real_sleep(seconds);
  give_way(std::uint64_t{seconds} * 1'000'000u);
  if (is_over_virtually()) return 0;
  return sleep_with_token([&] { return real_sleep(seconds); });
}

}  // namespace omnium::runtime
