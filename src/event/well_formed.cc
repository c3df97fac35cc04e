// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "event/well_formed.h"

#include <fmt/format.h>

#include "support/error.h"

namespace omnium {

std::optional<Malformed> WellFormed::check(std::span<Event> events, const Names& names) {
  const Extent extent = names.extent();
  if (threads_.size() < extent.threads) threads_.resize(extent.threads);
  if (locks_.size() < extent.locks) locks_.resize(extent.locks);
  std::uint64_t outside_events = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    Event& event = events[i];
    Thread& thread = threads_[event.thread_id];
    const bool outside = thread.depth == 0;
    if (thread.ended) [[unlikely]]
      return Malformed{i, what_is_wrong(event, names)};
    if (event.kind > Kind::kWrite) {
      if (!accept(event, thread)) [[unlikely]]
        return Malformed{i, what_is_wrong(event, names)};
      thread.seen = true;
      // A begin opens its own transaction, and an ignored operation is no event at all.
      if (event.kind == Kind::kBegin || event.kind == Kind::kSkip) continue;
    }
    thread.seen = true;
    outside_events += outside;
  }
  outside_events_ += outside_events;
  events_ += events.size();
  return std::nullopt;
}

inline bool WellFormed::accept(Event& event, Thread& thread) {
  switch (event.kind) {
    case Kind::kRead:
    case Kind::kWrite:
    case Kind::kSkip: return true;
    case Kind::kAcquire: return acquire(event);
    case Kind::kRelease: return release(event);
    case Kind::kBegin:
      ++blocks_;
      outermost_blocks_ += thread.depth++ == 0;
      return true;
    case Kind::kEnd:
      if (thread.depth == 0) return false;
      --thread.depth;
      return true;
    case Kind::kFork: return fork(event);
    case Kind::kJoin: threads_[event.object].ended = true; return true;
  }
  return true;
}

inline bool WellFormed::acquire(Event& event) {
  Lock& lock = locks_[event.object];
  if (lock.depth == 0) {
    lock = {1, event.thread_id};
    return true;
  }
  if (lock.holder != event.thread_id) return false;
  ++lock.depth;
  event.kind = Kind::kSkip;
  return true;
}

inline bool WellFormed::release(Event& event) {
  Lock& lock = locks_[event.object];
  if (lock.depth == 0 || lock.holder != event.thread_id) return false;
  if (--lock.depth > 0) event.kind = Kind::kSkip;
  return true;
}

bool WellFormed::fork(const Event& event) {
  Thread& child = threads_[event.object];
  if (event.object == event.thread_id || child.seen || child.ended) return false;
  child.seen = true;
  return true;
}

std::string WellFormed::what_is_wrong(const Event& event, const Names& names) const {
  const auto thread_name = [&](std::uint32_t id) { return printable(names.threads.name(id)); };
  const std::string thread = thread_name(event.thread_id);
  if (threads_[event.thread_id].ended) {
    return fmt::format("thread {} acts after it was joined", thread);
  }
  switch (event.kind) {
    case Kind::kAcquire:
    case Kind::kRelease: {
      const Lock& lock = locks_[event.object];
      return fmt::format("thread {} {} lock {}, which {}", thread,
                         event.kind == Kind::kAcquire ? "acquires" : "releases",
                         printable(names.locks.name(event.object)),
                         lock.depth == 0
                             ? std::string("nobody holds")
                             : fmt::format("thread {} holds", thread_name(lock.holder)));
    }
    case Kind::kFork:
      if (event.object == event.thread_id) return fmt::format("thread {} forks itself", thread);
      return fmt::format("thread {} forks thread {}, which already {}", thread,
                         thread_name(event.object),
                         threads_[event.object].ended ? "ended" : "acted or was forked");
    default: return fmt::format("thread {} ends a block, but none is open", thread);
  }
}

}  // namespace omnium
