// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/recording.h"

#include <algorithm>

namespace omnium::predict {

template <class Key>
void EventLists::build(std::span<const Event> events, std::uint32_t keys, Key&& key) {
  first_.assign(std::size_t{keys} + 2, 0);
  for (const Event& event : events) {
    if (const std::uint32_t k = key(event); k != kNoKey) ++first_[k + 2];
  }
  for (std::size_t k = 2; k < first_.size(); ++k) first_[k] += first_[k - 1];
  items_.resize(first_.back());
  // Counting up first_[k + 1] from where list k begins leaves it where list k ends.
  for (std::uint32_t i = 0; i < events.size(); ++i) {
    if (const std::uint32_t k = key(events[i]); k != kNoKey) items_[first_[k + 1]++] = i;
  }
}

bool Holders::held_by_another(std::uint32_t thread) const {
  if (exclusive != kNobody) return exclusive != thread;
  return std::ranges::any_of(readers, [&](std::uint32_t reader) { return reader != thread; });
}

Recording::Recording(std::span<const Event> events, const Extent& extent,
                     std::span<const SignalId> follows)
    : events_(events),
      extent_(extent),
      users_(extent.locks, 0),
      forks_(extent.threads, kNoEvent),
      follows_(follows),
      awaited_(extent.signals) {
  threads_.build(events, extent.threads, [](const Event& event) { return event.thread_id; });
  writes_.build(events, extent.variables, [](const Event& event) {
    return is_write(event.kind) ? event.object : EventLists::kNoKey;
  });
  lock_ops_.build(events, extent.locks, [](const Event& event) {
    const bool is_lock = takes_lock(event.kind) || gives_lock_back(event.kind);
    return is_lock ? event.object : EventLists::kNoKey;
  });
  signals_.build(events, extent.signals, [](const Event& event) {
    return event.kind == Kind::kSignal ? event.object : EventLists::kNoKey;
  });
  std::vector<std::uint32_t> threads;
  for (std::uint32_t lock = 0; lock < extent.locks; ++lock) {
    threads.clear();
    for (const std::uint32_t op : lock_ops_[lock]) {
      threads.push_back(events[op].thread_id);
    }
    std::ranges::sort(threads);
    threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
    users_[lock] = static_cast<std::uint32_t>(threads.size());
  }
  for (EventIndex i = 0; i < events.size(); ++i) {
    if (events[i].kind == Kind::kFork) forks_[events[i].object] = i;
    if (events[i].kind == Kind::kAwait) awaited_[events[i].object] = true;
  }
  find_notifications();
  find_contradiction();
}

void Recording::find_contradiction() {
  for (EventIndex i = 0; i < events_.size() && contradiction_ == kNoEvent; ++i) {
    if (events_[i].kind != Kind::kBusy) continue;
    if (!holders(events_[i].lock(), i).held_by_another(events_[i].thread_id)) contradiction_ = i;
  }
}

// A thread that waits was woken by the signals that it awaits before it resumes.
void Recording::find_notifications() {
  std::vector<EventIndex> waiting(extent_.threads, kNoEvent);
  for (EventIndex i = 0; i < events_.size(); ++i) {
    const Event& event = events_[i];
    EventIndex& wait = waiting[event.thread_id];
    if (event.kind == Kind::kWait) wait = i;
    if (event.kind == Kind::kResume) wait = kNoEvent;
    if (event.kind != Kind::kAwait || wait == kNoEvent) continue;
    for (const std::uint32_t signal : signals_before(i)) {
      if (signal < wait || events_[signal].thread_id == event.thread_id) continue;
      const auto index = static_cast<std::uint32_t>(wait);
      ended_waits_[signal].push_back(index);
      wait_channels_.try_emplace(index, channels());
    }
  }
}

std::uint32_t Recording::position(std::uint32_t thread, EventIndex at) const {
  const auto mine = threads_[thread];
  return static_cast<std::uint32_t>(std::ranges::lower_bound(mine, at) - mine.begin());
}

EventIndex Recording::last_write(VarId variable, EventIndex at) const {
  const auto writes = writes_[variable.v];
  const auto later = std::ranges::lower_bound(writes, at);
  return later == writes.begin() ? kNoEvent : *std::prev(later);
}

// Looks back until every thread that uses the lock has been seen, or a section that excludes all
// others.
Holders Recording::holders(LockId lock, EventIndex at) const {
  Holders found;
  const auto ops = lock_ops_[lock.v];
  std::vector<std::uint32_t> seen;
  for (auto op = std::ranges::lower_bound(ops, at);
       op != ops.begin() && seen.size() < users_[lock.v];) {
    const Event& event = events_[*--op];
    if (!is_shared_side(event.kind)) {
      if (takes_lock(event.kind) && found.readers.empty()) found.exclusive = event.thread_id;
      break;
    }
    if (std::ranges::find(seen, event.thread_id) != seen.end()) continue;
    seen.push_back(event.thread_id);
    if (takes_lock(event.kind)) found.readers.push_back(event.thread_id);
  }
  return found;
}

std::span<const std::uint32_t> Recording::signals_before(EventIndex event) const {
  std::uint32_t channel = events_[event].object;
  if (events_[event].kind == Kind::kSignal) {
    if (channel >= follows_.size() || follows_[channel].is_none()) return {};
    channel = follows_[channel].v;
  }
  const auto signals = signals_[channel];
  const auto later = std::ranges::lower_bound(signals, event);
  return signals.first(static_cast<std::size_t>(later - signals.begin()));
}

std::uint32_t Recording::channel_of_wait(EventIndex wait) const {
  const auto known = wait_channels_.find(static_cast<std::uint32_t>(wait));
  return known == wait_channels_.end() ? kNoChannel : known->second;
}

std::span<const std::uint32_t> Recording::waits_ended_by(EventIndex signal) const {
  const auto known = ended_waits_.find(static_cast<std::uint32_t>(signal));
  if (known == ended_waits_.end()) return {};
  return known->second;
}

}  // namespace omnium::predict
