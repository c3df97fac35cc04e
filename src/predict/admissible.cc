// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/admissible.h"

#include <algorithm>
#include <utility>

namespace omnium::predict {

namespace {

// An atomic access to more than one variable (16 bytes, say) is recorded as an event for each, one
// right behind the other. Other events may look like that, too.
bool may_be_one_access(const Event& event, const Event& next) {
  if (event.kind == Kind::kRead || event.kind == Kind::kWrite) return false;
  if (!is_read(event.kind) && !is_write(event.kind)) return false;
  return next.kind == event.kind && next.thread_id == event.thread_id &&
         next.object != event.object && next.loc_id == event.loc_id &&
         event.loc_id != LocId::kNoneValue;
}

}  // namespace

Admissible::Admissible(const Recording& recording)
    : recording_(recording),
      threads_(recording.extent().threads),
      locks_(recording.extent().locks),
      variables_(recording.extent().variables) {}

void Admissible::start(EventIndex recorded, Reads reads) {
  reads_ = reads;
  recorded_ = recorded;
  ++stamp_;
  order_.clear();
  overwritten_.clear();
}

Admissible::Thread& Admissible::thread(std::uint32_t id) {
  Thread& found = threads_[id];
  if (found.stamp != stamp_) found = {stamp_, recording_.position(id, recorded_), false};
  return found;
}

Holders& Admissible::lock(std::uint32_t id) {
  Lock& found = locks_[id];
  if (found.stamp != stamp_) found = {stamp_, recording_.holders({id}, recorded_)};
  return found.holders;
}

EventIndex& Admissible::last_write(std::uint32_t variable) {
  Variable& found = variables_[variable];
  if (found.stamp != stamp_) found = {stamp_, recording_.last_write({variable}, recorded_)};
  return found.last_write;
}

bool Admissible::done(EventIndex event) {
  if (event < recorded_) return true;
  const std::uint32_t id = recording_[event].thread_id;
  const auto mine = recording_.of_thread(id);
  const std::uint32_t position = thread(id).position;
  return position == mine.size() || mine[position] > event;
}

EventIndex Admissible::next_event(std::uint32_t id) {
  const auto mine = recording_.of_thread(id);
  const std::uint32_t position = thread(id).position;
  return position == mine.size() ? kNoEvent : mine[position];
}

Admissible::Next Admissible::next(std::uint32_t id) {
  const EventIndex index = next_event(id);
  if (index == kNoEvent || thread(id).stopped) return {Step::kNever};
  const std::uint32_t accessing = thread_inside_access();
  if (accessing != kNobody && accessing != id) return {Step::kBlocked, accessing};
  const EventIndex fork = recording_.fork_of(id);
  if (thread(id).position == 0 && fork != kNoEvent && !done(fork)) return ready_if_done(fork);
  return next_of_kind(recording_[index], index);
}

// What nobody can be sure to come into the middle of is not certain.
std::uint32_t Admissible::thread_inside_access() {
  if (reads_ != Reads::kAsRecorded || order_.empty()) return kNobody;
  const EventIndex last = order_.back();
  const std::uint32_t id = recording_[last].thread_id;
  if (thread(id).stopped || next_event(id) != last + 1) return kNobody;
  return may_be_one_access(recording_[last], recording_[last + 1]) ? id : kNobody;
}

Admissible::Next Admissible::ready_if_done(EventIndex event) {
  if (done(event)) return {Step::kReady};
  return {Step::kBlocked, recording_[event].thread_id};
}

Admissible::Next Admissible::next_of_kind(const Event& event, EventIndex index) {
  if (is_read(event.kind)) return next_read(event, index);
  switch (event.kind) {
    case Kind::kAcquire:
    case Kind::kResume: {
      const Holders& holders = lock(event.object);
      if (holders.free()) return {Step::kReady};
      const bool shared = holders.exclusive == kNobody;
      return {Step::kBlocked, shared ? holders.readers.front() : holders.exclusive};
    }
    case Kind::kSharedAcquire: {
      const std::uint32_t holder = lock(event.object).exclusive;
      if (holder == kNobody) return {Step::kReady};
      return {Step::kBlocked, holder};
    }
    case Kind::kJoin: return next_join(event);
    case Kind::kAwait: return next_await(index);
    case Kind::kSignal: return next_signal(index);
    case Kind::kBusy: return next_busy(event, index);
    default: return {Step::kReady};
  }
}

Admissible::Next Admissible::next_read(const Event& event, EventIndex index) {
  const bool plain = event.kind == Kind::kRead;
  if (reads_ == Reads::kFree || (plain && reads_ == Reads::kAtomicAsRecorded)) {
    return {Step::kReady};
  }
  const EventIndex seen = recording_.write_seen(index);
  if (last_write(event.object) == seen) return {Step::kReady};
  const bool may_come = seen != kNoEvent && !done(seen);
  const std::uint32_t writer = may_come ? recording_[seen].thread_id : kNobody;
  if (plain || event.kind == Kind::kAtomicRead) return {Step::kLast, writer};
  return {may_come ? Step::kBlocked : Step::kNever, writer};
}

Admissible::Next Admissible::next_join(const Event& event) {
  const std::uint32_t child = event.object;
  if (thread(child).position < recording_.of_thread(child).size()) {
    return {Step::kBlocked, child};
  }
  const EventIndex fork = recording_.fork_of(child);
  if (fork == kNoEvent) return {Step::kReady};
  return ready_if_done(fork);
}

Admissible::Next Admissible::next_await(EventIndex index) {
  const auto signals = recording_.signals_before(index);
  for (auto signal = std::ranges::lower_bound(signals, recorded_); signal != signals.end();
       ++signal) {
    if (!done(*signal)) return ready_if_done(*signal);
  }
  return {Step::kReady};
}

Admissible::Next Admissible::next_signal(EventIndex index) {
  for (const std::uint32_t wait : recording_.waits_ended_by(index)) {
    if (!done(wait)) return ready_if_done(wait);
  }
  return next_await(index);
}

// Whoever held the lock in the recording may take it again.
Admissible::Next Admissible::next_busy(const Event& event, EventIndex index) {
  if (lock(event.object).held_by_another(event.thread_id)) return {Step::kReady};
  const Holders then = recording_.holders(event.lock(), index);
  if (then.exclusive != kNobody && then.exclusive != event.thread_id) {
    return {Step::kBlocked, then.exclusive};
  }
  for (const std::uint32_t reader : then.readers) {
    if (reader != event.thread_id) return {Step::kBlocked, reader};
  }
  return {Step::kBlocked};
}

void Admissible::take(const Event& event) {
  if (is_shared_side(event.kind)) {
    lock(event.object).readers.push_back(event.thread_id);
  } else {
    lock(event.object).exclusive = event.thread_id;
  }
}

void Admissible::give_back(const Event& event) {
  if (is_shared_side(event.kind)) {
    std::erase(lock(event.object).readers, event.thread_id);
  } else {
    lock(event.object).exclusive = kNobody;
  }
}

void Admissible::step(std::uint32_t id, Step how) {
  const EventIndex index = next_event(id);
  const Event& event = recording_[index];
  Thread& mine = thread(id);
  ++mine.position;
  mine.stopped = how == Step::kLast;
  order_.push_back(index);
  overwritten_.push_back(kNoEvent);
  if (takes_lock(event.kind)) take(event);
  if (gives_lock_back(event.kind)) give_back(event);
  if (is_write(event.kind)) overwritten_.back() = std::exchange(last_write(event.object), index);
}

void Admissible::undo() {
  const Event& event = recording_[order_.back()];
  Thread& mine = thread(event.thread_id);
  --mine.position;
  mine.stopped = false;
  if (takes_lock(event.kind)) give_back(event);
  if (gives_lock_back(event.kind)) take(event);
  if (is_write(event.kind)) last_write(event.object) = overwritten_.back();
  order_.pop_back();
  overwritten_.pop_back();
}

}  // namespace omnium::predict
