// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A lock that needs nothing from the C library: it spins, then gives the processor away.
#pragma once

#include <sched.h>

#include <atomic>

namespace omnium::runtime {

// Waits a little longer each time.
class Backoff {
 public:
  void pause() {
    if (++rounds_ < 64) {
      __builtin_ia32_pause();
    } else {
      sched_yield();
    }
  }

 private:
  int rounds_ = 0;
};

class SpinLock {
 public:
  void lock() {
    Backoff backoff;
    while (taken_.exchange(true, std::memory_order_acquire)) {
      while (taken_.load(std::memory_order_relaxed)) backoff.pause();
    }
  }
  bool try_lock() { return !taken_.exchange(true, std::memory_order_acquire); }
  void unlock() { taken_.store(false, std::memory_order_release); }

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
