// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A lock that does not use the C library's locks, which are interposed. It spins for a while, then
// yields the processor. Signals wait until it is unlocked.
#pragma once

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

#include "runtime/system/signal_gate.h"

namespace omnium::runtime {

// Spins at first, and yields the processor after 64 rounds. Who waits for longer than that takes
// (the scrubber works for milliseconds) sleeps. The functions are interposed.
class Backoff {
 public:
  void pause() {
    constexpr timespec kNap{0, 100'000};
    if (++rounds_ < 64) {
      __builtin_ia32_pause();
    } else if (rounds_ < 1024) {
      syscall(SYS_sched_yield);
    } else {
      syscall(SYS_nanosleep, &kNap, nullptr);
    }
  }

 private:
  int rounds_ = 0;
};

class SpinLock {
 public:
  void lock() {
    if (tls_gate.closed == 0) overflow_before_inner_lock();
    close_gate();
    Backoff backoff;
    while (taken_.exchange(true, std::memory_order_acquire)) {
      while (taken_.load(std::memory_order_relaxed)) backoff.pause();
    }
  }
  bool try_lock() {
    close_gate();
    const bool locked = !taken_.exchange(true, std::memory_order_acquire);
    if (!locked) open_gate();
    return locked;
  }
  void unlock() {
    taken_.store(false, std::memory_order_release);
    open_gate();
  }

 private:
  std::atomic<bool> taken_{false};
};

class SpinGuard {
 public:
  explicit SpinGuard(SpinLock& lock) : lock_(lock) { lock_.lock(); }
  ~SpinGuard() { lock_.unlock(); }
  SpinGuard(const SpinGuard&) = delete;
  SpinGuard& operator=(const SpinGuard&) = delete;

 private:
  SpinLock& lock_;
};

}  // namespace omnium::runtime
