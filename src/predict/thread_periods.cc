// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/thread_periods.h"

#include <algorithm>

namespace omnium::predict {

ThreadPeriods::ThreadPeriods(std::span<const Event> events, std::uint32_t threads)
    : threads_(threads) {
  for (const Event& event : events) {
    if (event.kind == Kind::kFork) {
      fork(event.thread(), event.other());
    } else if (event.kind == Kind::kJoin) {
      join(event.thread(), event.other());
    } else if (event.kind != Kind::kSkip) {
      threads_[event.thread_id].used = true;
    }
  }
}

void ThreadPeriods::fork(ThreadId parent_id, ThreadId child_id) {
  Thread& parent = threads_[parent_id.v];
  auto clock = parent.steps.empty() ? std::make_shared<Clock>()
                                    : std::make_shared<Clock>(*parent.steps.back().clock);
  if (clock->size() <= parent_id.v) clock->resize(parent_id.v + 1, 0);
  (*clock)[parent_id.v] = parent.period + 1;
  threads_[child_id.v].steps.push_back({0, std::move(clock)});
  ++parent.period;
  parent.used = true;  // the child's clock counts on this period
}

void ThreadPeriods::join(ThreadId waiter_id, ThreadId child_id) {
  Thread& waiter = threads_[waiter_id.v];
  const Thread& child = threads_[child_id.v];
  // Nothing happened since the last join: its clock is nobody's yet and may grow in place.
  const bool in_place = !waiter.used && !waiter.steps.empty() && waiter.steps.back().first > 0;
  auto clock = in_place               ? waiter.steps.back().clock
               : waiter.steps.empty() ? std::make_shared<Clock>()
                                      : std::make_shared<Clock>(*waiter.steps.back().clock);
  const Clock* known = child.steps.empty() ? nullptr : child.steps.back().clock.get();
  const std::size_t size = std::max<std::size_t>(child_id.v + 1, known ? known->size() : 0);
  if (clock->size() < size) clock->resize(size, 0);
  for (std::size_t i = 0; known != nullptr && i < known->size(); ++i) {
    (*clock)[i] = std::max((*clock)[i], (*known)[i]);
  }
  (*clock)[child_id.v] = child.period + 1;
  ++waiter.period;
  waiter.used = false;
  if (in_place) {
    waiter.steps.back().first = waiter.period;
  } else {
    waiter.steps.push_back({waiter.period, std::move(clock)});
  }
}

Period ThreadPeriods::over(ThreadId thread, Period period, ThreadId other) const {
  const auto& steps = threads_[thread.v].steps;
  auto step = std::upper_bound(steps.begin(), steps.end(), period,
                               [](Period p, const Step& s) { return p < s.first; });
  if (step == steps.begin()) return 0;
  const Clock& clock = *std::prev(step)->clock;
  return other.v < clock.size() ? clock[other.v] : 0;
}

PeriodRange ThreadPeriods::concurrent(ThreadId thread, Period period, ThreadId other) const {
  const Thread& them = threads_[other.v];
  PeriodRange range{over(thread, period, other), them.period + 1};
  const auto later =
      std::partition_point(them.steps.begin(), them.steps.end(), [&](const Step& step) {
        return thread.v >= step.clock->size() || (*step.clock)[thread.v] <= period;
      });
  if (later != them.steps.end()) range.last = std::min(range.last, later->first);
  return range;
}

bool ThreadPeriods::concurrent(ThreadId thread, Period period, ThreadId other,
                               Period other_period) const {
  const PeriodRange range = concurrent(thread, period, other);
  return thread != other && range.first <= other_period && other_period < range.last;
}

}  // namespace omnium::predict
