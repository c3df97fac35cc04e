// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/scheduler.h"

#include <algorithm>

namespace omnium::predict {

Scheduler::Scheduler(std::span<const Event> events, const Extent& extent)
    : events_(events),
      threads_(extent.threads),
      forked_at_(extent.threads, kNoEvent),
      next_(extent.threads, 0),
      holder_(extent.locks, kNobody),
      limit_(extent.threads, kNoEvent) {
  for (EventIndex i = 0; i < events.size(); ++i) {
    threads_[events[i].thread_id].push_back(i);
    if (events[i].kind == Kind::kFork) forked_at_[events[i].object] = i;
  }
}

void Scheduler::restart() {
  std::fill(next_.begin(), next_.end(), 0);
  std::fill(holder_.begin(), holder_.end(), kNobody);
  std::fill(limit_.begin(), limit_.end(), kNoEvent);
  order_.clear();
}

bool Scheduler::done(EventIndex index) const {
  const std::uint32_t thread = events_[index].thread_id;
  const auto& mine = threads_[thread];
  return next_[thread] == mine.size() || mine[next_[thread]] > index;
}

Scheduler::Step Scheduler::try_next(std::uint32_t thread, std::uint32_t& blocker) {
  const auto& mine = threads_[thread];
  if (next_[thread] == mine.size()) return Step::kStuck;
  const EventIndex index = mine[next_[thread]];
  if (index == limit_[thread]) return Step::kStuck;
  const Event& event = events_[index];
  const EventIndex fork = forked_at_[thread];
  if (next_[thread] == 0 && fork != kNoEvent && !done(fork)) {
    blocker = events_[fork].thread_id;
    return Step::kBlocked;
  }
  if (event.kind == Kind::kAcquire) {
    if (holder_[event.object] != kNobody) {
      blocker = holder_[event.object];
      return Step::kBlocked;
    }
    holder_[event.object] = thread;
  } else if (event.kind == Kind::kRelease) {
    holder_[event.object] = kNobody;
  } else if (event.kind == Kind::kJoin) {
    const EventIndex child_fork = forked_at_[event.object];
    if (next_[event.object] < threads_[event.object].size()) {
      blocker = event.object;
      return Step::kBlocked;
    }
    if (child_fork != kNoEvent && !done(child_fork)) {
      blocker = events_[child_fork].thread_id;
      return Step::kBlocked;
    }
  }
  ++next_[thread];
  order_.push_back(index);
  return Step::kDone;
}

bool Scheduler::advance(EventIndex goal, std::uint64_t& budget) {
  const std::uint32_t target = events_[goal].thread_id;
  while (!done(goal)) {
    waiting_.assign(1, target);
    for (;;) {
      if (budget == 0) return false;
      --budget;
      std::uint32_t blocker = kNobody;
      const Step step = try_next(waiting_.back(), blocker);
      if (step == Step::kDone) break;  // look again who is blocked
      if (step == Step::kStuck) return false;
      if (std::find(waiting_.begin(), waiting_.end(), blocker) != waiting_.end()) return false;
      waiting_.push_back(blocker);
    }
  }
  return true;
}

// A thread may not run past its next goal.
void Scheduler::set_limits(std::span<const EventIndex> goals) {
  std::fill(limit_.begin(), limit_.end(), kNoEvent);
  for (const EventIndex goal : goals) {
    EventIndex& limit = limit_[events_[goal].thread_id];
    limit = std::min(limit, goal);
  }
}

// The other threads come to just before their first goals.
bool Scheduler::approach(std::span<const EventIndex> goals, std::uint64_t& budget) {
  set_limits(goals);
  for (const EventIndex goal : goals.subspan(1)) {
    const std::uint32_t thread = events_[goal].thread_id;
    if (thread == events_[goals[0]].thread_id || limit_[thread] != goal) continue;
    const auto& mine = threads_[thread];
    const auto at = std::lower_bound(mine.begin(), mine.end(), goal);
    if (at != mine.begin() && !advance(*std::prev(at), budget)) return false;
  }
  return true;
}

bool Scheduler::realize(std::span<const EventIndex> goals, EventIndex prefix, bool early,
                        std::uint64_t& budget) {
  restart();
  for (EventIndex i = 0; i < prefix; ++i) {
    if (!advance(i, budget)) return false;
  }
  if (early && !approach(goals, budget)) return false;
  for (std::size_t g = 0; g < goals.size(); ++g) {
    set_limits(goals.subspan(g + 1));
    if (done(goals[g]) || !advance(goals[g], budget)) return false;
  }
  std::fill(limit_.begin(), limit_.end(), kNoEvent);
  for (EventIndex i = 0; i < events_.size(); ++i) {
    if (!advance(i, budget)) return false;
  }
  return true;
}

}  // namespace omnium::predict
