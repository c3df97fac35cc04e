// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/schedule/runners.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/schedule/virtual_clock.h"
#include "runtime/system/spin_lock.h"

namespace omnium::runtime {

std::atomic<bool> runners_matter{false};
std::atomic<std::uint32_t> rest_jumps{0};

namespace {

constinit SpinLock lock;
int runners = 1;  // the main thread
std::atomic<std::uint64_t> jumped{0};

// A thread that waits or rests.
struct Stop {
  bool is_used;
  bool may_run;        // it was released, or its time has come, and it has not gone on yet
  const void* object;  // null: it rests
  std::uint64_t until;
  pid_t number;
};
constexpr std::uint32_t kMostStops = 1024;
Stop stops[kMostStops];
std::uint32_t stops_used;  // at the beginning of the list
// Of this thread: its place in the list, from 1. A wait that was cancelled is still there.
thread_local std::uint32_t tls_stop __attribute__((tls_model("initial-exec"))) = 0;

// Under the lock.
void go_on() {
  std::uint64_t first = kForEver;
  for (std::uint32_t i = 0; i < stops_used; ++i) {
    const Stop& stop = stops[i];
    if (stop.is_used && !stop.may_run && stop.until < first) first = stop.until;
  }
  if (first == kForEver) return;
  const std::uint64_t time = rest_clock();
  if (first > time) jumped.fetch_add(first - time, std::memory_order_relaxed);
  for (std::uint32_t i = 0; i < stops_used; ++i) {
    Stop& stop = stops[i];
    if (!stop.is_used || stop.may_run || stop.until > first) continue;
    stop.may_run = true;
    ++runners;
  }
  rest_jumps.fetch_add(1, std::memory_order_release);
  syscall(SYS_futex, &rest_jumps, FUTEX_WAKE_PRIVATE, 1 << 30, nullptr, nullptr, 0);
}

void one_less() {
  if (--runners == 0) go_on();
}

// The thread goes on. If another one was taken for the one that was released, that still waits.
void leave_stop() {
  if (tls_stop == 0) return;
  Stop& own = stops[tls_stop - 1];
  tls_stop = 0;
  own.is_used = false;
  if (own.may_run) return;
  for (std::uint32_t i = 0; own.object != nullptr && i < stops_used; ++i) {
    Stop& other = stops[i];
    if (!other.is_used || !other.may_run || other.object != own.object) continue;
    other.may_run = false;
    return;
  }
  ++runners;
}

void enter_stop(const void* object, std::uint64_t until) {
  const auto number = static_cast<pid_t>(syscall(SYS_gettid));
  const SpinGuard guard(lock);
  leave_stop();
  std::uint32_t at = 0;
  while (at < stops_used && stops[at].is_used) ++at;
  if (at == kMostStops) return;  // it looks like one that runs
  if (at == stops_used) ++stops_used;
  stops[at] = {true, false, object, until, number};
  tls_stop = at + 1;
  one_less();
}

bool is_on() { return runners_matter.load(std::memory_order_relaxed); }

}  // namespace

void prepare_runners() { runners_matter = true; }
void stop_runners() { runners_matter = false; }

void runner_created() {
  if (!is_on()) return;
  const SpinGuard guard(lock);
  ++runners;
}

void runner_not_created() {
  if (!is_on()) return;
  const SpinGuard guard(lock);
  one_less();
}

void runner_ends(const void* thread) {
  if (!is_on()) return;
  release_runners(thread, true);
  const SpinGuard guard(lock);
  leave_stop();
  one_less();
}

Blocked::Blocked(const void* object) {
  if (is_on() && object != nullptr) enter_stop(object, kForEver);
}

void Blocked::goes_on() {
  if (!is_on()) return;
  const SpinGuard guard(lock);
  leave_stop();
}

void release_runners(const void* object, bool all) {
  if (!is_on() || object == nullptr) return;
  const SpinGuard guard(lock);
  for (std::uint32_t i = 0; i < stops_used; ++i) {
    Stop& stop = stops[i];
    if (!stop.is_used || stop.may_run || stop.object != object) continue;
    stop.may_run = true;
    ++runners;
    if (!all) return;
  }
}

std::uint64_t rest_clock() {
  const timespec time = real_time_now(CLOCK_MONOTONIC);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(time.tv_nsec) + jumped.load(std::memory_order_relaxed);
}

Resting::Resting(std::uint64_t until) {
  if (is_on()) enter_stop(nullptr, until);
}

Resting::~Resting() {
  if (!is_on()) return;
  const SpinGuard guard(lock);
  leave_stop();
}

bool nobody_runs() {
  const SpinGuard guard(lock);
  return runners <= 0;
}

void go_on_without_runners() {
  const SpinGuard guard(lock);
  go_on();
}

RestingThreads who_rests() {
  RestingThreads out;
  const SpinGuard guard(lock);
  for (std::uint32_t i = 0; i < stops_used && out.count < kMostResting; ++i) {
    const Stop& stop = stops[i];
    if (stop.is_used && !stop.may_run && stop.object == nullptr) {
      out.numbers[out.count++] = stop.number;
    }
  }
  return out;
}

}  // namespace omnium::runtime
