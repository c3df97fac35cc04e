// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Happens-before between parts of threads, from fork and join alone: these hold in every
// interleaving, while the order of lock operations is one of many [Wang, Stoller 7.4].
//
// A thread's execution is cut into periods by its own forks and joins; a fork or join belongs to
// the period that it ends.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "event/event.h"

namespace omnium::predict {

using Period = std::uint32_t;

struct PeriodRange {  // half-open
  Period first = 0;
  Period last = 0;
};

class ThreadPeriods {
 public:
  ThreadPeriods(std::span<const Event> events, std::uint32_t threads);

  // The periods of `other` that are neither before nor after period `period` of `thread`. They are
  // neighbours: what is before is a prefix, what is after a suffix.
  PeriodRange concurrent(ThreadId thread, Period period, ThreadId other) const;
  bool concurrent(ThreadId thread, Period period, ThreadId other, Period other_period) const;

 private:
  using Clock = std::vector<Period>;  // per thread: how many of its periods are over
  struct Step {                       // what a thread knows from this period on
    Period first;
    std::shared_ptr<Clock> clock;
  };
  struct Thread {
    Period period = 0;
    bool used = false;  // something happened in this period
    std::vector<Step> steps;
  };

  void fork(ThreadId parent, ThreadId child);
  void join(ThreadId waiter, ThreadId child);
  Period over(ThreadId thread, Period period, ThreadId other) const;

  std::vector<Thread> threads_;
};

}  // namespace omnium::predict
