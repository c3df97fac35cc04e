// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/schedule/virtual_clock.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "runtime/schedule/serial.h"
#include "runtime/schedule/token.h"

namespace omnium::runtime {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;  // in nanoseconds
// What clocks that count from the start of the machine say at the start of the program, in seconds.
constexpr std::int64_t kSinceBoot = 1000;

std::int64_t start_seconds;  // 0: time is real
std::atomic<std::int64_t> passes_since{0};

std::int64_t nanos(const timespec& time) { return time.tv_sec * kSecond + time.tv_nsec; }

timespec from_nanos(std::int64_t time) {
  const std::int64_t part = time % kSecond;
  if (part < 0) return {static_cast<time_t>(time / kSecond - 1), static_cast<long>(part + kSecond)};
  return {static_cast<time_t>(time / kSecond), static_cast<long>(part)};
}

bool is_date(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

bool is_since_boot(clockid_t clock) {
  return clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW ||
         clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_BOOTTIME;
}

}  // namespace

void prepare_virtual_clock(std::uint64_t start) {
  start_seconds = static_cast<std::int64_t>(start);
}

bool time_is_virtual() { return start_seconds != 0; }

timespec real_time_now(clockid_t clock) {
  timespec time = {};
  syscall(SYS_clock_gettime, clock, &time);  // the C library's function is interposed
  return time;
}

timespec time_now(clockid_t clock) {
  const bool known = is_date(clock) || is_since_boot(clock);
  if (!time_is_virtual() || !known) return real_time_now(clock);
  std::int64_t passed = static_cast<std::int64_t>(serial_clock()) * 1000;
  if (const std::int64_t since = passes_since.load(std::memory_order_acquire); since != 0) {
    passed += nanos(real_time_now(CLOCK_MONOTONIC)) - since;
  }
  return from_nanos((is_date(clock) ? start_seconds : kSinceBoot) * kSecond + passed);
}

timespec real_deadline(clockid_t clock, const timespec& deadline) {
  if (!time_is_virtual()) return deadline;
  const std::int64_t left = nanos(deadline) - nanos(time_now(clock));
  return from_nanos(nanos(real_time_now(clock)) + left);
}

void clock_is_read(Pc pc) {
  SerialThread* const self = tls_serial;
  if (self == nullptr || !has_token(*self)) return;
  // The first look costs a microsecond, and each one that follows twice as much, up to this.
  constexpr std::uint32_t kLongest = 1000, kFew = 8;
  const std::uint64_t so_far = changes_so_far();
  if (self->looks_since != so_far) self->looks = 0;
  self->looks_since = so_far;
  const std::uint32_t looks = ++self->looks;
  pass_time(looks > 10 ? kLongest : std::uint32_t{1} << (looks - 1));
  if (looks > kFew) serial_yield(pc);
}

void virtual_time_passes() {
  if (time_is_virtual()) passes_since = nanos(real_time_now(CLOCK_MONOTONIC));
}

}  // namespace omnium::runtime
