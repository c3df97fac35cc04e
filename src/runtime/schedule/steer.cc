// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/schedule/steer.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "runtime/schedule/activity.h"
#include "runtime/schedule/naps.h"
#include "runtime/schedule/progress.h"
#include "runtime/schedule/runners.h"
#include "runtime/schedule/spinners.h"
#include "runtime/schedule/virtual_clock.h"
#include "runtime/system/channel.h"
#include "runtime/system/options.h"
#include "runtime/system/spin_lock.h"

namespace omnium::runtime {

namespace {

// Under the lock.
constinit SpinLock lock;
constinit Progress progress = {};
bool steering;

// The thread that has to let all others go before it goes on itself; kNobody: none.
std::atomic<std::uint32_t> holding{Progress::kNobody};

// Changes with each step, and when one is given up.
std::atomic<std::uint32_t> changes;
std::atomic<std::uint32_t> tries_left{0};

void tell_of_change() {
  changes.fetch_add(1, std::memory_order_release);
  syscall(SYS_futex, &changes, FUTEX_WAKE_PRIVATE, 1 << 30, nullptr, nullptr, 0);
}

std::uint64_t now_in_micros() {
  const timespec time = real_time_now(CLOCK_MONOTONIC);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000u +
         static_cast<std::uint64_t>(time.tv_nsec) / 1000u;
}

// In microseconds. One thread looks what the others do, less often each time; those that only wait
// wake up less often still.
constexpr std::uint64_t kFirstLook = 60, kLongestLook = 500, kRest = 5'000;
void wait_for_change(std::uint32_t seen, std::uint64_t micros) {
  const timespec moment{0, static_cast<long>(micros * 1000)};
  syscall(SYS_futex, &changes, FUTEX_WAIT_PRIVATE, seen, &moment, nullptr, 0);
}

constexpr std::uint32_t kMoment = 3'000;

// How long others that could come are waited for, in microseconds, and for how long any thread of a
// run may wait: a program that spins while it waits for us would look as if it hung. The option
// `patience` makes all of them longer, for programs that sleep long.
struct Patience {
  std::uint64_t with_runners = 800'000, with_sleepers = 60'000, budget = 2'500'000;
};
Patience patience;

void read_patience(const char* text) {
  const std::uint64_t wanted = std::strtoull(text, nullptr, 10) * 1000;
  constexpr std::uint64_t kLongest = 10'000'000;
  const std::uint64_t least = wanted < kLongest ? wanted : kLongest;
  if (patience.with_runners < least) patience.with_runners = least;
  if (patience.with_sleepers < least) patience.with_sleepers = least;
  if (patience.budget < 2 * least) patience.budget = 2 * least;
}

std::atomic<std::uint64_t> spent{0};       // while at least one thread waited
std::atomic<std::uint32_t> waiting{0};     // threads
std::atomic<std::uint64_t> wait_began{0};  // of the first of them
std::atomic<bool> somebody_looks{false};

// Decides again and again whether there is a reason to go on waiting.
class Waiting {
 public:
  Waiting() {
    if (waiting.fetch_add(1) == 0) wait_began = begin_;
  }
  ~Waiting() {
    if (looks_) somebody_looks = false;
    const std::uint64_t began = wait_began.load();
    const std::uint64_t now = now_in_micros();
    if (waiting.fetch_sub(1) == 1 && now > began) spent.fetch_add(now - began);
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

  // Until the target has changed, or for a moment.
  void rest(std::uint32_t seen) {
    looks_ = looks_ || !somebody_looks.exchange(true);
    wait_for_change(seen, looks_ ? look_ : kRest);
    look_ = std::min(2 * look_, kLongestLook);
  }

  bool is_hopeless() {
    const std::uint64_t now = now_in_micros(), waited = now - begin_, began = wait_began.load();
    if (spent.load() + (now > began ? now - began : 0) > patience.budget) tries_left = 0;
    if (!looks_) return waited > patience.with_runners;
    const Activity activity = nobody_runs()       ? Activity::kNone
                              : waited < kTrusted ? Activity::kRunning
                                                  : look_at_others();
    quiet_ = activity == Activity::kNone ? quiet_ + 1 : 0;
    if (was_blocked()) return true;
    return waited >
           (activity == Activity::kRunning ? patience.with_runners : patience.with_sleepers);
  }
  bool was_blocked() const { return quiet_ >= (others_spin_ ? kLooksAtSpinners : kLooks); }

 private:
  static constexpr int kLooks = 2, kLooksAtSpinners = 40;  // they may be about to go on
  // Microseconds, before the kernel is asked who runs.
  static constexpr std::uint64_t kTrusted = 1'000;

  Activity look_at_others() {
    constexpr std::uint32_t kMostSpinners = 256;
    pid_t others[kMostResting + kMostSpinners];
    const RestingThreads held = who_rests();
    std::copy_n(held.numbers, held.count, others);
    const std::uint32_t spinners = threads_that_spin(others + held.count, kMostSpinners);
    others_spin_ = spinners != 0;
    return activity_of_others(others, held.count + spinners);
  }

  std::uint64_t begin_ = now_in_micros(), look_ = kFirstLook;
  bool looks_ = false, others_spin_ = false;
  int quiet_ = 0;
};

void give_up(const Waiting& waits) {
  auto& count = waits.was_blocked() ? counters().steering_blocked : counters().steering_late;
  count.fetch_add(1, std::memory_order_relaxed);
  const SpinGuard guard(lock);
  progress.start_again();
  if (tries_left.load(std::memory_order_relaxed) > 0) tries_left.fetch_sub(1);
  tell_of_change();
}

Answer ask(std::uint32_t number, const Point& point) {
  const SpinGuard guard(lock);
  const Progress::Done done = progress.go(number, point);
  if (done.holds) holding = number;
  if (done.is_over) tries_left.store(0, std::memory_order_relaxed);
  if (done.changed) tell_of_change();
  return done.answer;
}

}  // namespace

namespace {

// The thread has done its step, and comes to its next point: all others go first.
void let_all_go() {
  const Resting rests(kForEver);
  Waiting waits;
  do waits.rest(changes.load(std::memory_order_acquire));
  while (!waits.is_hopeless());
  holding = Progress::kNobody;
}

Answer wait_for_turn(std::uint32_t number, const Point& point, std::uint32_t seen) {
  const Resting rests(kForEver);
  for (Waiting waits; tries_left.load(std::memory_order_relaxed) > 0;) {
    waits.rest(seen);
    seen = changes.load(std::memory_order_acquire);
    const Answer answer = ask(number, point);
    if (answer != Answer::kWait) return answer;
    if (waits.is_hopeless()) {
      give_up(waits);
      break;
    }
  }
  return Answer::kGo;
}

}  // namespace

bool prepare_steering(const char* path) {
  if (path[0] == '\0') return false;
  progress.read(path);
  read_patience(options.patience);
  constexpr std::uint32_t kTries = 8;
  tries_left = kTries;
  return steering = true;
}

// Modules are loaded one at a time, but other threads look at the target meanwhile. Looking for
// modules takes locks of the C library, so that comes first.
void steering_modules_changed() {
  if (!steering) return;
  find_modules_of_target();
  const SpinGuard guard(lock);
  progress.place_target();
}

// The lock may be held by a thread that the child does not have.
void stop_steering() { steering = false; }

void steer(ThreadState& thread, const Point& point) {
  if (!steering) return;
  if (waiting.load(std::memory_order_relaxed) != 0) note_spinning(point);
  if (holding.load(std::memory_order_relaxed) == thread.number) let_all_go();
  if (!progress.may_contain(point.pc)) return;
  if (tries_left.load(std::memory_order_relaxed) == 0) return;
  const std::uint32_t seen = changes.load(std::memory_order_acquire);
  if (ask(thread.number, point) != Answer::kWait) return;
  if (wait_for_turn(thread.number, point, seen) == Answer::kGoLate) nap_for(kMoment);
}

}  // namespace omnium::runtime
