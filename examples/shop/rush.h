// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Makes a rare interleaving a common one: a thread in the middle of something waits for a moment
// until other threads have been at the same place. In a real shop a slow network does that.
//
// Omnium ignores these waits, and they order nothing for ThreadSanitizer either: they are relaxed.
#pragma once

#include <sched.h>

#include <atomic>
#include <chrono>

#include "annotations.h"

class Rush {
 public:
  // Somebody has been here.
  void pass() {
    omnium_ignore_begin();
    passed_.fetch_add(1, std::memory_order_relaxed);
    omnium_ignore_end();
  }

  // Returns when somebody else has been here; after a second in any case.
  void let_another_pass() {
    omnium_ignore_begin();
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    const long before = passed_.load(std::memory_order_relaxed);
    while (passed_.load(std::memory_order_relaxed) == before &&
           std::chrono::steady_clock::now() < end) {
      sched_yield();
    }
    omnium_ignore_end();
  }

 private:
  std::atomic<long> passed_{0};
};
