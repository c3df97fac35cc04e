// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Happens-before between parts of threads, from what every admissible interleaving keeps: fork and
// join, signals and what awaits them, waits and the notifications that end them, and writes and the
// atomic reads that saw them. The order of lock operations is one of many [Wang, Stoller 7.4].
//
// A thread's execution is cut into periods where it teaches others (forks, signals, writes what
// another thread's atomic read sees) and where it learns (joins, awaits, such a read). The event
// belongs to the period that it ends.
//
// An atomic load that is the last event of its thread need not see what it saw; so what it sees
// counts only for what comes behind it (docs/algorithms/prediction.md#order).
#pragma once

#include <memory>
#include <vector>

#include "predict/recording.h"

namespace omnium::predict {

using Period = std::uint32_t;

struct PeriodRange {  // half-open
  Period first = 0;
  Period last = 0;
};

enum class AtomicReads : std::uint8_t { kOrder, kFree };

class ThreadPeriods {
 public:
  ThreadPeriods(const Recording& recording, AtomicReads reads);

  // A period of the event's thread ends with it; because the thread learns.
  bool ends_after(EventIndex event) const { return ends_[event]; }
  bool learns(EventIndex event) const { return learns_[event]; }

  // The periods of `other` that are neither before nor after period `period` of `thread`. They are
  // neighbours: what is before is a prefix, what is after a suffix.
  PeriodRange concurrent(ThreadId thread, Period period, ThreadId other) const {
    return concurrent(thread, period, period, other);
  }
  // The same for an event of that period that knows what is known in period `knowing`.
  PeriodRange concurrent(ThreadId thread, Period period, Period knowing, ThreadId other) const;
  bool concurrent(ThreadId thread, Period period, ThreadId other, Period other_period) const;
  // How many periods of `other` are over before anything in period `period` of `thread` happens.
  Period over(ThreadId thread, Period period, ThreadId other) const;
  Period last_period(ThreadId thread) const { return threads_[thread.v].period; }

 private:
  using Clock = std::vector<Period>;  // per thread: how many of its periods are over
  struct Step {                       // what a thread knows from this period on
    Period first;
    std::shared_ptr<Clock> clock;
  };
  struct Thread {
    Period period = 0;
    bool used = false;  // something happened in this period
    EventIndex last = kNoEvent;
    std::vector<Step> steps;
  };
  struct Write {
    std::uint16_t thread = 0;
    bool seen = false;  // by an atomic read of another thread: the clock is known
    Clock clock;
  };

  void find_writes_seen();
  void event(EventIndex index);
  void fork(const Event& event);
  void join(EventIndex index);
  void signal(EventIndex index);
  void wait(EventIndex index);
  void access(EventIndex index);
  const Clock* clock_of(const Thread& thread) const {
    return thread.steps.empty() ? nullptr : thread.steps.back().clock.get();
  }
  bool knows(const Thread& thread, const Clock& clock) const;
  Clock taught(std::uint32_t thread) const;
  Clock known_at_end(std::uint32_t thread) const;
  void end_period(EventIndex index);
  void learn(EventIndex index, const Clock& clock);
  static void merge(Clock& into, const Clock& clock);

  const Recording& recording_;
  std::vector<Thread> threads_;
  std::vector<bool> ends_, learns_;
  std::vector<bool> writes_seen_;  // per event: an atomic read of another thread saw this write
  std::vector<Clock> channels_;    // what those know who await it
  std::vector<Write> writes_;      // per variable: the last one
};

}  // namespace omnium::predict
