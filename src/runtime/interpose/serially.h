// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// How interposed functions wait in a serial run (schedule/serial.h), where the thread that runs
// must not block: it tries, and gives way to others until somebody has released the object.
#pragma once

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/schedule/runners.h"
#include "runtime/schedule/serial.h"
#include "runtime/schedule/virtual_clock.h"

namespace omnium::runtime {

// The real call, without the token.
template <typename Block>
auto block_serially(Block block) {
  const auto result = block();
  serial_back();
  return result;
}

// `try_once` returns EBUSY if the object is not free.
template <typename Try, typename Block>
int take_serially(const void* object, Try try_once, Block block) {
  if (!points_matter) [[likely]]
    return block();
  if (!is_serial_here()) {
    if (const int result = try_once(); result != EBUSY) return result;
    const Blocked blocked(object);
    // It may have been released when nobody knew yet that somebody waits.
    const int result = try_once();
    return result == EBUSY ? block() : result;
  }
  for (;;) {
    const int result = try_once();
    if (result != EBUSY) return result;
    if (serial_wait(object, 0) == SerialWait::kReal) return block_serially(block);
  }
}

// How long it is until then, in microseconds, at least one.
inline std::uint64_t micros_until(clockid_t clock, const timespec& deadline) {
  const timespec now = time_now(clock);
  const std::int64_t seconds = deadline.tv_sec - now.tv_sec;
  const std::int64_t micros = seconds * 1'000'000 + (deadline.tv_nsec - now.tv_nsec) / 1000;
  return micros < 1 ? 1 : static_cast<std::uint64_t>(micros);
}

// The time that the thread wanted to wait for has come, as far as others are concerned: the call
// only waits for what is left of it.
template <typename Block>
auto sleep_with_token(Block block) {
  serial_sleeps(true);
  const auto result = block();
  serial_sleeps(false);
  return result;
}

inline void sleep_until(clockid_t clock, const timespec& deadline) {
  const timespec real = real_deadline(clock, deadline);
  sleep_with_token(
      [&] { return syscall(SYS_clock_nanosleep, clock, TIMER_ABSTIME, &real, nullptr); });
}

// While it exists, the caller's deadline is one of the real clock.
class RealDeadline {
 public:
  RealDeadline(clockid_t clock, const timespec*& deadline) : deadline_(deadline), saved_(deadline) {
    if (!time_is_virtual() || deadline == nullptr) [[likely]]
      return;
    real_ = real_deadline(clock, *deadline);
    deadline = &real_;
  }
  ~RealDeadline() { deadline_ = saved_; }
  RealDeadline(const RealDeadline&) = delete;
  RealDeadline& operator=(const RealDeadline&) = delete;

 private:
  const timespec*& deadline_;
  const timespec* const saved_;
  timespec real_;
};

// `block` is the real call, and uses the caller's `deadline`.
template <typename Block>
auto block_until(clockid_t clock, const timespec*& deadline, Block block) {
  if (time_is_virtual() && deadline != nullptr) pass_time_alone(micros_until(clock, *deadline));
  const RealDeadline real(clock, deadline);
  return block();
}

// The same with a deadline. When its time has come, the real call waits for what is left of it.
template <typename Try, typename Block>
int take_serially_until(const void* object, clockid_t clock, const timespec*& deadline,
                        Try try_once, Block block_for_ever) {
  const auto block = [&] { return block_until(clock, deadline, block_for_ever); };
  if (!points_matter || (!is_serial_here() && !time_is_virtual())) [[likely]]
    return block();
  if (!is_serial_here()) {
    const int result = try_once();
    return result == EBUSY ? block() : result;
  }
  for (;;) {
    const int result = try_once();
    if (result != EBUSY) return result;
    const SerialWait how = serial_wait(object, micros_until(clock, *deadline));
    if (how == SerialWait::kReal) return block_serially(block);
    if (how == SerialWait::kTimeout) return sleep_with_token(block);
  }
}

// The thread may block from now on, whatever for: others go on meanwhile.
inline void goes_away() {
  if (points_matter) [[unlikely]]
    serial_away();
}
inline void came_back() {
  if (points_matter) [[unlikely]]
    serial_back();
}

// A call that may block.
template <typename Block>
auto call_away(Block block) {
  if (points_matter && is_serial_here()) [[unlikely]]
    goes_away();
  struct Return {
    ~Return() { came_back(); }
  };
  const Return at_its_end;
  return block();
}

inline void released_serially(const void* object, bool all = true) {
  if (!points_matter) [[likely]]
    return;
  serial_released(object, all);
  release_runners(object, all);
}

}  // namespace omnium::runtime
