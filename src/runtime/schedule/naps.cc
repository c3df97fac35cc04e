// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/schedule/naps.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

#include "runtime/schedule/activity.h"
#include "runtime/schedule/runners.h"

namespace omnium::runtime {

namespace {

// In nanoseconds: when a thread asks the kernel whether anybody runs, and how long it rests before
// it asks again, twice as long each time.
constexpr std::uint64_t kFirstLook = 2'000'000, kLongestLook = 16'000'000;
std::atomic<bool> somebody_looks{false};

timespec time_of(std::uint64_t nanoseconds) {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  return {static_cast<time_t>(nanoseconds / kSecond), static_cast<long>(nanoseconds % kSecond)};
}

void ask_the_kernel() {
  if (somebody_looks.exchange(true)) return;
  const RestingThreads resting = who_rests();
  if (activity_of_others(resting.numbers, resting.count) == Activity::kNone) {
    go_on_without_runners();
  }
  somebody_looks = false;
}

void rest_until(std::uint64_t end) {
  const Resting rests(end);
  for (std::uint64_t between = kFirstLook;;) {
    const std::uint32_t seen = rest_jumps.load(std::memory_order_acquire);
    const std::uint64_t time = rest_clock();
    if (time >= end) return;
    const timespec moment = time_of(std::min(end - time, between));
    const long result =
        syscall(SYS_futex, &rest_jumps, FUTEX_WAIT_PRIVATE, seen, &moment, nullptr, 0);
    if (result == 0 || errno != ETIMEDOUT || end - time <= between) continue;
    ask_the_kernel();
    between = std::min(2 * between, kLongestLook);
  }
}

}  // namespace

std::uint64_t nap_for(std::uint32_t micros) {
  const std::uint64_t begin = rest_clock(), end = begin + std::uint64_t{micros} * 1000;
  if (runners_matter.load(std::memory_order_relaxed)) {
    rest_until(end);
  } else {
    const timespec time = time_of(end - begin);
    syscall(SYS_nanosleep, &time, nullptr);
  }
  return rest_clock() - begin;
}

}  // namespace omnium::runtime
