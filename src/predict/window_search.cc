// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/window_search.h"

#include <algorithm>
#include <array>

namespace omnium::predict {

namespace {

// Events that one attempt may schedule: farther away there is nearly always something in the way.
constexpr std::uint64_t kStepsPerAttempt = 10'000;
constexpr std::size_t kMostAwaited = 100;
// What finding the window costs, in events.
constexpr std::uint64_t kCostOfWindow = 100;

}  // namespace

WindowSearch::WindowSearch(const Recording& recording, const EventIndexer& index,
                           const Forest& forest, const InterEdges& edges, Waits waits)
    : recording_(recording),
      index_(index),
      forest_(forest),
      contacts_(index, forest, edges),
      machine_(recording),
      judge_(recording.events(), waits) {}

std::optional<WindowFinding> WindowSearch::find(const SuspectUnit& suspect,
                                                std::span<const Reads> levels,
                                                std::uint64_t& budget) {
  found_.reset();
  const Unit& unit = forest_.units[suspect.unit.v];
  // Half of it looks for the best while something worse is known.
  const std::uint64_t reserve = budget / 2;
  contacts_.for_each(suspect, [&](std::span<const EventIndex> goals) {
    for (const Reads reads : levels) {
      if (found_ && found_->reads <= reads) break;
      if (budget == 0) return true;
      attempt(unit, goals, reads, budget);
    }
    return budget == 0 || (found_ && (found_->reads == levels.front() || budget < reserve));
  });
  return std::move(found_);
}

bool WindowSearch::attempt(const Unit& unit, std::span<const EventIndex> goals, Reads reads,
                           std::uint64_t& budget) {
  budget -= std::min(budget, kCostOfWindow);
  EventIndex near = std::min(unit.block.begin, recording_.contradiction()), far = near;
  for (const EventIndex goal : goals) {
    near = std::min(near, index_.section_begin(goal));
    far = std::min(far, index_.section_begin(index_.block_of(goal).begin));
  }
  far = std::min(near, far);
  awaited_ = awaited(unit, goals.back());
  for (const EventIndex start : {near, far}) {
    for (const Early early : {Early::kNobody, Early::kOthers, Early::kAwaited}) {
      if (early == Early::kAwaited && awaited_.empty()) continue;
      if (realize(goals, start, reads, early, budget) && judge(unit, goals, start, reads)) {
        return true;
      }
    }
    if (near == far) break;
  }
  return false;
}

// The transaction that is violated is the suspect, or a part of it.
bool WindowSearch::judge(const Unit& unit, std::span<const EventIndex> goals, EventIndex start,
                         Reads reads) {
  const auto open = index_.open_blocks(unit.thread(), start);
  const auto judgement = judge_.violated(machine_.order(), unit.thread(), open);
  if (!judgement) return false;
  const EventIndex begin = judgement->transaction.begin;
  if (begin < unit.block.begin || (unit.end != kNoEvent && begin > unit.end)) return false;
  found_ = WindowFinding{reads, *judgement, index_.block_of(goals[1]), start, {}};
  for (const EventIndex event : machine_.order()) {
    found_->then.push_back(event);
    if (event == judgement->sink) break;
  }
  return true;
}

// A thread may not run past its next goal.
void WindowSearch::set_limits(std::span<const EventIndex> goals) {
  limits_.assign(goals.begin(), goals.end());
}

// Lets the thread do its next event, or whoever has to go first. False if that is stuck.
bool WindowSearch::let_go(std::uint32_t thread, std::uint64_t& budget) {
  waiting_.assign(1, thread);
  for (;;) {
    if (budget == 0 || steps_left_ == 0) return false;
    --budget;
    --steps_left_;
    const std::uint32_t now = waiting_.back();
    const EventIndex event = machine_.next_event(now);
    if (event == kNoEvent || std::ranges::find(limits_, event) != limits_.end()) return false;
    const Admissible::Next next = machine_.next(now);
    const bool may_stop = event == recording_.of_thread(now).back() ||
                          std::ranges::find(last_goals_, event) != last_goals_.end();
    if (next.step == Admissible::Step::kReady ||
        (next.step == Admissible::Step::kLast && may_stop)) {
      machine_.step(now, next.step);
      return true;
    }
    if (next.blocker == Admissible::kNobody ||
        std::ranges::find(waiting_, next.blocker) != waiting_.end()) {
      return false;
    }
    waiting_.push_back(next.blocker);
  }
}

bool WindowSearch::advance(EventIndex goal, std::uint64_t& budget) {
  while (!machine_.done(goal)) {
    if (!let_go(recording_[goal].thread_id, budget)) return false;
  }
  return true;
}

// The other threads come to just before their first goals, so that what they have to do on the way
// (take a lock, say) is over.
bool WindowSearch::approach(std::span<const EventIndex> goals, std::uint64_t& budget) {
  set_limits(goals);
  for (std::size_t g = 1; g < goals.size(); ++g) {
    const std::uint32_t thread = recording_[goals[g]].thread_id;
    const bool first =
        std::none_of(goals.begin(), goals.begin() + static_cast<std::ptrdiff_t>(g),
                     [&](EventIndex other) { return recording_[other].thread_id == thread; });
    if (!first) continue;
    while (machine_.next_event(thread) < goals[g]) {
      if (!let_go(thread, budget)) return false;
    }
  }
  return true;
}

// What the unit waits for up to `last`: signals, and the last events of threads that it joins.
std::vector<EventIndex> WindowSearch::awaited(const Unit& unit, EventIndex last) const {
  std::vector<EventIndex> events;
  const auto mine = recording_.of_thread(unit.thread().v);
  for (std::uint32_t i = recording_.position(unit.thread().v, unit.block.begin);
       i < mine.size() && mine[i] <= last; ++i) {
    const Event& event = recording_[mine[i]];
    if (event.kind == Kind::kAwait || event.kind == Kind::kSignal) {
      const auto signals = recording_.signals_before(mine[i]);
      events.insert(events.end(), signals.begin(), signals.end());
    } else if (event.kind == Kind::kJoin && !recording_.of_thread(event.object).empty()) {
      events.push_back(recording_.of_thread(event.object).back());
    }
    if (events.size() > kMostAwaited) return {};
  }
  return events;
}

bool WindowSearch::realize(std::span<const EventIndex> goals, EventIndex start, Reads reads,
                           Early early, std::uint64_t& budget) {
  machine_.start(start, reads);
  steps_left_ = std::min(budget, kStepsPerAttempt);
  last_goals_.clear();
  std::uint64_t needed = 0;  // at least
  for (std::size_t g = 0; g < goals.size(); ++g) {
    const bool last = std::none_of(
        goals.begin() + static_cast<std::ptrdiff_t>(g) + 1, goals.end(), [&](EventIndex other) {
          return recording_[other].thread_id == recording_[goals[g]].thread_id;
        });
    if (!last) continue;
    last_goals_.push_back(goals[g]);
    const std::uint32_t thread = recording_[goals[g]].thread_id;
    needed += recording_.position(thread, goals[g]) - recording_.position(thread, start);
  }
  if (needed >= steps_left_) return false;
  if (early == Early::kOthers && !approach(goals, budget)) return false;
  set_limits(goals);
  for (const EventIndex event : awaited_) {
    if (early == Early::kAwaited && !advance(event, budget)) return false;
  }
  for (std::size_t g = 0; g < goals.size(); ++g) {
    set_limits(goals.subspan(g + 1));
    if (machine_.done(goals[g]) || !advance(goals[g], budget)) return false;
  }
  return true;
}

}  // namespace omnium::predict
