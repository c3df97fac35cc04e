// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "event/well_formed.h"

#include <fmt/format.h>

#include "support/error.h"

namespace omnium {

namespace {

std::string thread_name(const Names& names, std::uint32_t id) {
  return printable(names.threads.name(id));
}
std::string lock_name(const Names& names, std::uint32_t id) {
  return printable(names.locks.name(id));
}

std::string acts_after_join(const Event& event, const Names& names) {
  return fmt::format("thread {} acts after it was joined", thread_name(names, event.thread_id));
}

}  // namespace

std::optional<Malformed> WellFormed::check(std::span<Event> events, const Names& names) {
  const Extent extent = names.extent();
  if (threads_.size() < extent.threads) threads_.resize(extent.threads);
  if (locks_.size() < extent.locks) locks_.resize(extent.locks);
  for (std::size_t i = 0; i < events.size(); ++i) {
    Event& event = events[i];
    Thread& thread = threads_[event.thread_id];
    const bool outside = thread.depth == 0;
    if (thread.ended) [[unlikely]]
      return Malformed{i, acts_after_join(event, names)};
    if (event.kind > Kind::kWrite) {
      auto wrong = check_other_kinds(event, names);
      if (wrong) [[unlikely]]
        return Malformed{i, std::move(*wrong)};
      thread.seen = true;
      // A begin opens its own transaction, and an ignored operation is no event at all.
      if (event.kind == Kind::kBegin || event.kind == Kind::kSkip) continue;
    }
    thread.seen = true;
    outside_events_ += outside;
  }
  events_ += events.size();
  return std::nullopt;
}

std::optional<std::string> WellFormed::check_other_kinds(Event& event, const Names& names) {
  Thread& thread = threads_[event.thread_id];
  switch (event.kind) {
    case Kind::kAcquire: return check_acquire(event, names);
    case Kind::kRelease: return check_release(event, names);
    case Kind::kFork: return check_fork(event, names);
    case Kind::kJoin: threads_[event.object].ended = true; return std::nullopt;
    case Kind::kBegin:
      ++blocks_;
      outermost_blocks_ += thread.depth++ == 0;
      return std::nullopt;
    case Kind::kEnd:
      if (thread.depth == 0) {
        return fmt::format("thread {} ends a block, but none is open",
                           thread_name(names, event.thread_id));
      }
      --thread.depth;
      return std::nullopt;
    case Kind::kRead:
    case Kind::kWrite:
    case Kind::kSkip: return std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::string> WellFormed::check_acquire(Event& event, const Names& names) {
  Lock& lock = locks_[event.object];
  if (lock.depth == 0) {
    lock = {1, event.thread_id};
    return std::nullopt;
  }
  if (lock.holder != event.thread_id) {
    return fmt::format("thread {} acquires lock {}, which thread {} holds",
                       thread_name(names, event.thread_id), lock_name(names, event.object),
                       thread_name(names, lock.holder));
  }
  ++lock.depth;
  event.kind = Kind::kSkip;
  return std::nullopt;
}

std::optional<std::string> WellFormed::check_release(Event& event, const Names& names) {
  Lock& lock = locks_[event.object];
  if (lock.depth == 0 || lock.holder != event.thread_id) {
    const std::string holder =
        lock.depth == 0 ? std::string("nobody holds")
                        : fmt::format("thread {} holds", thread_name(names, lock.holder));
    return fmt::format("thread {} releases lock {}, which {}", thread_name(names, event.thread_id),
                       lock_name(names, event.object), holder);
  }
  if (--lock.depth > 0) event.kind = Kind::kSkip;
  return std::nullopt;
}

std::optional<std::string> WellFormed::check_fork(const Event& event, const Names& names) {
  Thread& child = threads_[event.object];
  if (event.object == event.thread_id) {
    return fmt::format("thread {} forks itself", thread_name(names, event.thread_id));
  }
  if (child.seen) {
    return fmt::format("thread {} forks thread {}, which already {}",
                       thread_name(names, event.thread_id), thread_name(names, event.object),
                       child.ended ? "ended" : "acted or was forked");
  }
  child.seen = true;
  return std::nullopt;
}

}  // namespace omnium
