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
  std::optional<Malformed> check(std::span<Event> events, const Names& names) {
    return check(events, names, [](const Event&) {});
  }
  // The same, and calls `then` for each event that is well-formed.
  template <class Then>
  std::optional<Malformed> check(std::span<Event> events, const Names& names, Then&& then) {
    grow_to(names.extent());
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (!accept(events[i])) [[unlikely]]
        return Malformed{i, what_is_wrong(events[i], names)};
      then(events[i]);
    }
    return std::nullopt;
  }

  // The same one by one: grow_to() before events with new ids, accept() for each event. False, and
  // nothing changed, if the event cannot be; what_is_wrong() says why.
  void grow_to(const Extent& extent);
  bool accept(Event& event);
  [[gnu::cold]] std::string what_is_wrong(const Event& event, const Names& names) const;

  // Does a thread other than this one hold the lock, either side of it?
  bool is_held_by_another(std::uint32_t lock, std::uint32_t thread) const;

  // What a user should know although the trace is well-formed: at most a handful of sentences.
  std::vector<std::string> warnings(const Names& names) const;

  // How often each block began, by label.
  const std::vector<std::uint64_t>& runs() const { return runs_; }
  TraceCounts counts() const { return {events_, blocks_, outermost_blocks_ + outside_events_}; }

 private:
  static constexpr std::uint32_t kLabels = 4;
  struct Thread {
    std::uint32_t depth = 0;             // of open blocks
    bool seen = false;                   // has acted or was forked
    bool ended = false;                  // was joined
    std::uint32_t labels[kLabels] = {};  // of open blocks, outermost first; deeper_labels_ has more
  };
  struct Lock {
    std::uint32_t depth = 0;  // of its exclusive holder; 0: there is none
    std::uint32_t holder = 0;
    std::uint32_t readers = 0;  // threads that hold the shared side
  };
  struct SharedHold {
    std::uint32_t lock;
    std::uint32_t thread;
    std::uint32_t depth;  // of re-entrant shared acquires
  };
  // A thread that waits for a condition; `depth` is how often it held the lock.
  struct Waiting {
    std::uint32_t lock;
    std::uint32_t thread;
    std::uint32_t depth;
  };
  // An end with another label than its begin: the first one with the label `ended`, and how many.
  struct OtherLabel {
    std::uint32_t thread, begun, ended;
    std::uint64_t index;
    std::uint64_t count;
  };
  static constexpr std::size_t kMostWarnings = 8;

  bool accept_kind(Event& event, Thread& thread);
  bool acquire(Event& event);
  bool release(Event& event);
  bool shared_acquire(Event& event);
  bool shared_release(Event& event);
  bool wait(const Event& event);
  bool resume(const Event& event);
  bool fork(const Event& event);
  bool join(const Event& event);
  void begin(const Event& event, Thread& thread);
  void end(const Event& event, Thread& thread);
  std::uint32_t& deeper_label(const Event& event, std::uint32_t depth);
  void another_label(const Event& event, std::uint32_t begun);
  std::string what_is_wrong_with_lock(const Event& event, const Names& names) const;

  std::vector<Thread> threads_;
  std::vector<std::vector<std::uint32_t>> deeper_labels_;  // by thread
  std::vector<Lock> locks_;
  std::vector<SharedHold> shared_;  // few at a time
  std::vector<Waiting> waiting_;
  std::vector<std::uint64_t> runs_;
  std::uint64_t events_ = 0;
  std::uint64_t blocks_ = 0;
  std::uint64_t outermost_blocks_ = 0;
  std::uint64_t outside_events_ = 0;
  std::vector<OtherLabel> other_labels_;
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
    case Kind::kBegin: begin(event, thread); return true;
    case Kind::kEnd:
      if (thread.depth == 0) return false;
      end(event, thread);
      return true;
    case Kind::kFork: return fork(event);
    case Kind::kJoin: return join(event);
    case Kind::kSharedAcquire: return shared_acquire(event);
    case Kind::kSharedRelease: return shared_release(event);
    case Kind::kWait: return wait(event);
    case Kind::kResume: return resume(event);
    default: return true;
  }
}

inline void WellFormed::begin(const Event& event, Thread& thread) {
  ++blocks_;
  ++runs_[event.object];
  outermost_blocks_ += thread.depth == 0;
  const std::uint32_t depth = thread.depth++;
  (depth < kLabels ? thread.labels[depth] : deeper_label(event, depth)) = event.object;
}

inline void WellFormed::end(const Event& event, Thread& thread) {
  const std::uint32_t depth = --thread.depth;
  const std::uint32_t begun = depth < kLabels ? thread.labels[depth] : deeper_label(event, depth);
  if (begun != event.object) [[unlikely]]
    another_label(event, begun);
}

inline bool WellFormed::acquire(Event& event) {
  Lock& lock = locks_[event.object];
  if (lock.depth == 0) {
    if (lock.readers != 0) return false;
    lock.depth = 1;
    lock.holder = event.thread_id;
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
