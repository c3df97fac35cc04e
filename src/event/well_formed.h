// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Is this a trace at all? (docs/semantics.md#well-formed-traces.) Runs before every engine, so that
// engines never see a lock held twice, an `end` without its `begin`, or a thread that acts before
// its fork or after its join.
//
// Inner operations of a re-entrant lock are turned into kSkip here: only the outermost acquire and
// its release count.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "event/event.h"
#include "event/names.h"

namespace omnium {

// What the checker counts on its way; `info` and the JSON result print these.
struct TraceCounts {
  std::uint64_t events = 0;
  std::uint64_t blocks = 0;        // begins, nested or not
  std::uint64_t transactions = 0;  // outermost blocks and unary events
};

struct Malformed {
  std::size_t offset;  // in the span that was checked
  std::string what;
};

class WellFormed {
 public:
  // Checks the next events of the trace; rewrites inner lock operations to kSkip. A malformed event
  // is as if it had not been there; those after it were not looked at.
  std::optional<Malformed> check(std::span<Event> events, const Names& names);

  // The same one by one: grow_to() before events with new ids, accept() for each event. False, and
  // nothing changed, if the event cannot be; what_is_wrong() says why.
  void grow_to(const Extent& extent);
  bool accept(Event& event);
  [[gnu::cold]] std::string what_is_wrong(const Event& event, const Names& names) const;

  // How often each block began, by label.
  const std::vector<std::uint64_t>& runs() const { return runs_; }
  TraceCounts counts() const { return {events_, blocks_, outermost_blocks_ + outside_events_}; }

 private:
  struct Thread {
    std::uint32_t depth = 0;  // of open blocks
    bool seen = false;        // has acted or was forked
    bool ended = false;       // was joined
  };
  struct Lock {
    std::uint32_t depth = 0;
    std::uint32_t holder = 0;
  };

  bool accept_kind(Event& event, Thread& thread);
  bool acquire(Event& event);
  bool release(Event& event);
  bool fork(const Event& event);

  std::vector<Thread> threads_;
  std::vector<Lock> locks_;
  std::vector<std::uint64_t> runs_;
  std::uint64_t events_ = 0;
  std::uint64_t blocks_ = 0;
  std::uint64_t outermost_blocks_ = 0;
  std::uint64_t outside_events_ = 0;
};

inline bool WellFormed::accept(Event& event) {
  Thread& thread = threads_[event.thread_id];
  const bool outside = thread.depth == 0;
  if (thread.ended) [[unlikely]]
    return false;
  if (event.kind > Kind::kWrite && !accept_kind(event, thread)) [[unlikely]]
    return false;
  thread.seen = true;
  ++events_;
  // A begin opens its own transaction, and an ignored operation is no event at all.
  outside_events_ += outside && event.kind != Kind::kBegin && event.kind != Kind::kSkip;
  return true;
}

inline bool WellFormed::accept_kind(Event& event, Thread& thread) {
  switch (event.kind) {
    case Kind::kAcquire: return acquire(event);
    case Kind::kRelease: return release(event);
    case Kind::kBegin:
      ++blocks_;
      ++runs_[event.object];
      outermost_blocks_ += thread.depth++ == 0;
      return true;
    case Kind::kEnd:
      if (thread.depth == 0) return false;
      --thread.depth;
      return true;
    case Kind::kFork: return fork(event);
    case Kind::kJoin: threads_[event.object].ended = true; return true;
    default: return true;
  }
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

}  // namespace omnium
