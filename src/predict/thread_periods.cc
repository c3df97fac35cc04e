// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/thread_periods.h"

#include <algorithm>

namespace omnium::predict {

namespace {

bool is_atomic_read(Kind kind) { return is_read(kind) && kind != Kind::kRead; }

}  // namespace

ThreadPeriods::ThreadPeriods(const Recording& recording, AtomicReads reads)
    : recording_(recording),
      threads_(recording.extent().threads),
      ends_(recording.size()),
      learns_(recording.size()),
      channels_(recording.channels()) {
  if (reads == AtomicReads::kOrder) find_writes_seen();
  for (EventIndex i = 0; i < recording.size(); ++i) event(i);
}

void ThreadPeriods::find_writes_seen() {
  const auto events = recording_.events();
  if (std::ranges::none_of(events, [](const Event& e) { return is_atomic_read(e.kind); })) return;
  writes_seen_.resize(events.size());
  writes_.resize(recording_.extent().variables);
  std::vector<EventIndex> last(recording_.extent().variables, kNoEvent);
  for (EventIndex i = 0; i < events.size(); ++i) {
    if (!is_access(events[i].kind)) continue;
    EventIndex& write = last[events[i].object];
    if (is_atomic_read(events[i].kind) && write != kNoEvent &&
        events[write].thread_id != events[i].thread_id) {
      writes_seen_[write] = true;
    }
    if (is_write(events[i].kind)) write = i;
  }
}

void ThreadPeriods::event(EventIndex index) {
  const Event& event = recording_[index];
  if (event.kind == Kind::kSkip) return;
  threads_[event.thread_id].last = index;
  switch (event.kind) {
    case Kind::kFork: fork(event); return end_period(index);
    case Kind::kJoin: return join(index);
    default: break;
  }
  threads_[event.thread_id].used = true;
  switch (event.kind) {
    case Kind::kSignal: return signal(index);
    case Kind::kWait: return wait(index);
    case Kind::kAwait: return learn(index, channels_[event.object]);
    default:
      if (!writes_.empty() && is_access(event.kind)) access(index);
  }
}

void ThreadPeriods::merge(Clock& into, const Clock& clock) {
  if (into.size() < clock.size()) into.resize(clock.size(), 0);
  for (std::size_t i = 0; i < clock.size(); ++i) into[i] = std::max(into[i], clock[i]);
}

bool ThreadPeriods::knows(const Thread& thread, const Clock& clock) const {
  const Clock* known = clock_of(thread);
  const auto self = static_cast<std::size_t>(&thread - threads_.data());
  for (std::size_t i = 0; i < clock.size(); ++i) {
    const Period mine = known != nullptr && i < known->size() ? (*known)[i] : 0;
    if (i != self && clock[i] > mine) return false;
  }
  return true;
}

// What others know if they come after what the thread did so far.
ThreadPeriods::Clock ThreadPeriods::taught(std::uint32_t id) const {
  const Clock* known = clock_of(threads_[id]);
  Clock clock = known != nullptr ? *known : Clock();
  if (clock.size() <= id) clock.resize(id + 1, 0);
  clock[id] = threads_[id].period + 1;
  return clock;
}

void ThreadPeriods::end_period(EventIndex index) {
  Thread& thread = threads_[recording_[index].thread_id];
  ++thread.period;
  thread.used = true;  // others count on this period
  ends_[index] = true;
}

void ThreadPeriods::learn(EventIndex index, const Clock& clock) {
  Thread& thread = threads_[recording_[index].thread_id];
  if (knows(thread, clock)) return;
  auto now = thread.steps.empty() ? std::make_shared<Clock>()
                                  : std::make_shared<Clock>(*thread.steps.back().clock);
  merge(*now, clock);
  if (!ends_[index]) end_period(index);
  thread.steps.push_back({thread.period, std::move(now)});
  learns_[index] = true;
}

void ThreadPeriods::fork(const Event& event) {
  threads_[event.object].steps.push_back({0, std::make_shared<Clock>(taught(event.thread_id))});
}

void ThreadPeriods::join(EventIndex index) {
  const Event& event = recording_[index];
  Thread& waiter = threads_[event.thread_id];
  // Nothing happened since the last join: its clock is nobody's yet and may grow in place.
  const bool in_place = !waiter.used && !waiter.steps.empty() && waiter.steps.back().first > 0;
  auto clock = in_place               ? waiter.steps.back().clock
               : waiter.steps.empty() ? std::make_shared<Clock>()
                                      : std::make_shared<Clock>(*waiter.steps.back().clock);
  merge(*clock, known_at_end(event.object));
  ends_[index] = learns_[index] = true;
  ++waiter.period;
  waiter.used = false;
  if (in_place) {
    waiter.steps.back().first = waiter.period;
  } else {
    waiter.steps.push_back({waiter.period, std::move(clock)});
  }
}

// What a thread did, and what it learned; but an atomic load that is its last event need not see
// what it saw.
ThreadPeriods::Clock ThreadPeriods::known_at_end(std::uint32_t id) const {
  const Thread& thread = threads_[id];
  Clock clock = taught(id);
  if (thread.last == kNoEvent || !learns_[thread.last]) return clock;
  if (recording_[thread.last].kind != Kind::kAtomicRead) return clock;
  clock = thread.steps.size() > 1 ? *std::prev(thread.steps.end(), 2)->clock : Clock();
  if (clock.size() <= id) clock.resize(id + 1, 0);
  clock[id] = thread.period + 1;
  return clock;
}

// A notification comes after the waits that it ends, and so does whoever it is for.
void ThreadPeriods::signal(EventIndex index) {
  const Event& event = recording_[index];
  if (!recording_.is_awaited(event.signal())) return;
  Clock clock = taught(event.thread_id);
  for (const std::uint32_t wait : recording_.waits_ended_by(index)) {
    merge(clock, channels_[recording_.channel_of_wait(wait)]);
  }
  merge(channels_[event.object], clock);
  end_period(index);
  learn(index, clock);
}

void ThreadPeriods::wait(EventIndex index) {
  const std::uint32_t channel = recording_.channel_of_wait(index);
  if (channel == Recording::kNoChannel) return;
  channels_[channel] = taught(recording_[index].thread_id);
  end_period(index);
}

void ThreadPeriods::access(EventIndex index) {
  const Event& event = recording_[index];
  Write& last = writes_[event.object];
  const bool learns = is_atomic_read(event.kind) && last.seen && last.thread != event.thread_id;
  const bool writes = is_write(event.kind);
  if (!writes && !learns) return;
  Clock seen;
  if (learns) seen = last.clock;
  if (writes) {
    last.thread = event.thread_id;
    last.seen = writes_seen_[index];
    last.clock.clear();
  }
  if (writes && last.seen) {
    last.clock = taught(event.thread_id);
    merge(last.clock, seen);
    end_period(index);
  }
  if (learns) learn(index, seen);
}

Period ThreadPeriods::over(ThreadId thread, Period period, ThreadId other) const {
  const auto& steps = threads_[thread.v].steps;
  auto step = std::upper_bound(steps.begin(), steps.end(), period,
                               [](Period p, const Step& s) { return p < s.first; });
  if (step == steps.begin()) return 0;
  const Clock& clock = *std::prev(step)->clock;
  return other.v < clock.size() ? clock[other.v] : 0;
}

PeriodRange ThreadPeriods::concurrent(ThreadId thread, Period period, Period knowing,
                                      ThreadId other) const {
  const Thread& them = threads_[other.v];
  PeriodRange range{over(thread, knowing, other), them.period + 1};
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
