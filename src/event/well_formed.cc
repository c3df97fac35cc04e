// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "event/well_formed.h"

#include <algorithm>

#include <fmt/format.h>

#include "support/error.h"

namespace omnium {

namespace {

// The entry of a thread and a lock in a short list, or its end.
template <class Entries>
auto entry_of(Entries& entries, const Event& event) {
  return std::ranges::find_if(entries, [&](const auto& entry) {
    return entry.lock == event.object && entry.thread == event.thread_id;
  });
}

template <class Entries>
void take_out(Entries& entries, typename Entries::iterator at) {
  *at = entries.back();
  entries.pop_back();
}

}  // namespace

void WellFormed::grow_to(const Extent& extent) {
  if (threads_.size() < extent.threads) threads_.resize(extent.threads);
  if (locks_.size() < extent.locks) locks_.resize(extent.locks);
  if (runs_.size() < extent.labels) runs_.resize(extent.labels);
}

std::uint32_t& WellFormed::deeper_label(const Event& event, std::uint32_t depth) {
  if (deeper_labels_.size() < threads_.size()) deeper_labels_.resize(threads_.size());
  auto& labels = deeper_labels_[event.thread_id];
  if (labels.size() <= depth - kLabels) labels.resize(depth - kLabels + 1);
  return labels[depth - kLabels];
}

void WellFormed::another_label(const Event& event, std::uint32_t begun) {
  // Whether the end has a label at all is only known with the names: warnings() looks.
  const auto known = std::ranges::find(other_labels_, event.object, &OtherLabel::ended);
  if (known != other_labels_.end()) {
    ++known->count;
  } else if (other_labels_.size() < kMostWarnings) {
    other_labels_.push_back({event.thread_id, begun, event.object, events_, 1});
  }
}

bool WellFormed::shared_acquire(Event& event) {
  Lock& lock = locks_[event.object];
  if (lock.depth != 0) return false;
  const auto held = entry_of(shared_, event);
  if (held != shared_.end()) {
    ++held->depth;
    event.kind = Kind::kSkip;
    return true;
  }
  ++lock.readers;
  shared_.push_back({event.object, event.thread_id, 1});
  return true;
}

bool WellFormed::shared_release(Event& event) {
  const auto held = entry_of(shared_, event);
  if (held == shared_.end()) return false;
  if (--held->depth > 0) {
    event.kind = Kind::kSkip;
    return true;
  }
  --locks_[event.object].readers;
  take_out(shared_, held);
  return true;
}

// However often the thread holds the lock, waiting gives it up, and resuming restores that.
bool WellFormed::wait(const Event& event) {
  Lock& lock = locks_[event.object];
  if (lock.depth == 0 || lock.holder != event.thread_id) return false;
  waiting_.push_back({event.object, event.thread_id, lock.depth});
  lock.depth = 0;
  return true;
}

bool WellFormed::resume(const Event& event) {
  Lock& lock = locks_[event.object];
  const auto waiting = entry_of(waiting_, event);
  if (waiting == waiting_.end() || lock.depth != 0 || lock.readers != 0) return false;
  lock.depth = waiting->depth;
  lock.holder = event.thread_id;
  take_out(waiting_, waiting);
  return true;
}

bool WellFormed::fork(const Event& event) {
  Thread& child = threads_[event.object];
  if (event.object == event.thread_id || child.seen || child.ended) return false;
  child.seen = true;
  return true;
}

bool WellFormed::join(const Event& event) {
  if (event.object == event.thread_id) return false;
  threads_[event.object].ended = true;
  return true;
}

bool WellFormed::is_held_by_another(std::uint32_t lock, std::uint32_t thread) const {
  if (locks_[lock].depth != 0) return locks_[lock].holder != thread;
  return std::ranges::any_of(
      shared_, [&](const SharedHold& hold) { return hold.lock == lock && hold.thread != thread; });
}

std::string WellFormed::what_is_wrong(const Event& event, const Names& names) const {
  const auto thread_name = [&](std::uint32_t id) { return printable(names.threads.name(id)); };
  const std::string thread = thread_name(event.thread_id);
  if (threads_[event.thread_id].ended) {
    return fmt::format("thread {} acts after it was joined", thread);
  }
  switch (event.kind) {
    case Kind::kFork:
      if (event.object == event.thread_id) return fmt::format("thread {} forks itself", thread);
      return fmt::format("thread {} forks thread {}, which already {}", thread,
                         thread_name(event.object),
                         threads_[event.object].ended ? "ended" : "acted or was forked");
    case Kind::kJoin: return fmt::format("thread {} joins itself", thread);
    case Kind::kEnd: return fmt::format("thread {} ends a block, but none is open", thread);
    default: return what_is_wrong_with_lock(event, names);
  }
}

std::string WellFormed::what_is_wrong_with_lock(const Event& event, const Names& names) const {
  const auto thread_name = [&](std::uint32_t id) { return printable(names.threads.name(id)); };
  const auto verb = [&] {
    switch (event.kind) {
      case Kind::kAcquire: return "acquires";
      case Kind::kSharedAcquire: return "acquires (shared)";
      case Kind::kRelease: return "releases";
      case Kind::kSharedRelease: return "releases (shared)";
      case Kind::kWait: return "waits with";
      default: return "resumes with";
    }
  }();
  const Lock& lock = locks_[event.object];
  const bool has_waited =
      event.kind != Kind::kResume || entry_of(waiting_, event) != waiting_.end();
  const auto state = [&]() -> std::string {
    if (!has_waited) return "for which it is not waiting";
    if (lock.depth != 0 && lock.holder == event.thread_id) return "which it holds exclusively";
    if (lock.depth != 0) return fmt::format("which is held by thread {}", thread_name(lock.holder));
    if (entry_of(shared_, event) != shared_.end()) return "of which it holds the shared side";
    if (lock.readers == 0) return "which is not held";
    const auto reader = std::ranges::find(shared_, event.object, &SharedHold::lock);
    return fmt::format("which is held (shared) by thread {}", thread_name(reader->thread));
  }();
  return fmt::format("thread {} {} lock {}, {}", thread_name(event.thread_id), verb,
                     printable(names.locks.name(event.object)), state);
}

std::vector<std::string> WellFormed::warnings(const Names& names) const {
  std::vector<std::string> out;
  for (const OtherLabel& other : other_labels_) {
    const std::string ended = printable(names.labels.name(other.ended));
    if (ended.empty()) continue;  // closes whatever is open
    out.push_back(fmt::format("event {}: thread {} ends the block '{}' with the label '{}'{}",
                              other.index, printable(names.threads.name(other.thread)),
                              printable(names.labels.name(other.begun)), ended,
                              other.count > 1 ? fmt::format(" ({} such ends)", other.count) : ""));
  }
  return out;
}

}  // namespace omnium
