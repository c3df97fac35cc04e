// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// From what a trace says to what engines see: the only place where the richer events and the
// options --conflicts and --waits have a meaning (docs/algorithms/lowering.md has the rules and why
// they are right).
//
//   rmw(x), aw(x)        a write of x
//   ar(x), retry(x)      a read of x
//   signal(c) by t       the release of a lock (c, t)
//   await(c)             the acquire of (c, u) for every other thread u
//   racq(l), rrel(l)     likewise with locks (l, t)
//   wait(l), resume(l)   release, acquire
//   locks in data mode   the acquire of a lock that is never released: no conflict
//
// A block that is cut ends, with all blocks around and inside it, before the event that cuts it,
// and begins again at that event.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "event/attempts.h"
#include "event/check_mode.h"
#include "event/dispatch.h"
#include "event/event.h"
#include "event/lock_uses.h"
#include "support/id.h"

namespace omnium {

// What is fed: an engine or a graph, with its clock and the size of its tables.
template <class To>
concept LoweringTarget = EventHandler<To> && requires(To to, EventIndex now, const Extent& extent) {
  to.at(now);
  to.grow(extent);
};

class Lowering {
 public:
  // Without `track_attempts` a failed attempt inside a block is not judged: needs_attempts() says
  // that the trace has to be read again with it.
  explicit Lowering(CheckMode mode, bool track_attempts = false)
      : locks_conflict_(mode.conflicts == Conflicts::kAll),
        splits_(mode.waits == Waits::kSplit),
        tracks_(track_attempts && splits_),
        follows_locks_(!locks_conflict_) {}

  // Room for the ids of the trace, here and in `to`.
  template <LoweringTarget To>
  void grow(const Extent& extent, To& to);

  // Event `now` of the trace.
  template <LoweringTarget To>
  [[gnu::always_inline]] void feed(const Event& event, EventIndex now, To& to) {
    to.at(now);
    if (tracks_) [[unlikely]]
      return feed_tracked(event, now, to);
    feed_untracked(event, now, to);
  }

  bool needs_attempts() const { return needs_attempts_; }
  // Where locks do not conflict: the locks of the trace that several threads took and under which
  // nobody has accessed anything so far. Empty if there are none.
  std::vector<bool> locks_without_access() const { return lock_uses_.without_access(); }
  // From now on somebody else tells it which locks are used, maybe on another thread: all events
  // that were not fed before this call. Where locks conflict, nobody wants to know.
  LockUses& hand_over_lock_uses();
  // May lock operations be missing (event/thinning.h)?
  bool can_be_thinned() const { return !locks_conflict_ && !tracks_; }
  // How often a block was cut.
  std::uint64_t cuts() const { return cuts_; }
  // Whether what is fed depends on events long before it, and not just on the blocks that are open.
  bool remembers() const { return cuts_ != 0 || !signals_.empty() || !shared_locks_.empty(); }

  // What a lock of the engine stands for.
  struct Origin {
    enum class Kind : std::uint8_t { kNothing, kLock, kSignal } kind = Kind::kNothing;
    std::uint32_t object = 0;  // of the trace
  };
  Origin origin(LockId lock) const { return origins_[lock]; }

  // The blocks that t has open, outermost first. Known only with --waits split.
  struct OpenBlock {
    LabelId label;
    EventIndex begin = kNoEvent;  // of the whole block
    bool refuted = false;         // for who reports blocks: whether this one was
  };
  std::span<OpenBlock> blocks(ThreadId t) { return threads_[t].blocks; }
  bool splits() const { return splits_; }
  // While a block is cut: the last event of the part that ends. Else kNoEvent.
  EventIndex part_end() const { return part_end_; }

 private:
  struct Thread {
    EventIndex last = kNoEvent;        // its last event
    EventIndex part = kNoEvent;        // first event of its open part
    EventIndex last_other = kNoEvent;  // its last event that was no plain access
    std::vector<OpenBlock> blocks;
  };
  // Releases of one kind by one thread: a lock of the engine that only this thread releases.
  struct Releaser {
    ThreadId thread;
    LockId lock;  // of the engine
    EventIndex last = kNoEvent;
  };
  struct Signal {
    std::vector<Releaser> signallers;  // by their last signal
    std::vector<Releaser> awaiters;    // `lock` is unused
  };
  // A lock some thread takes the shared side of.
  struct SharedLock {
    std::vector<Releaser> readers;  // who gave back the shared side, by the last time
    std::vector<ThreadId> entered;  // threads that took the shared side since the last exclusive
    bool read_since = false;        // there was a shared section since the last exclusive one
  };
  static constexpr LockId kNeverReleased{0};
  static constexpr std::uint32_t kUnused = ~std::uint32_t{0};

  template <class To>
  [[gnu::always_inline]] void feed_untracked(const Event& event, EventIndex now, To& to) {
    if (event.kind <= Kind::kWrite) [[likely]] {
      threads_[event.thread()].last = now;
      return dispatch(to, event);
    }
    feed_other(event, now, to);
  }
  template <class To>
  void feed_tracked(const Event& event, EventIndex now, To& to);
  template <class To>
  void feed_other(const Event& event, EventIndex now, To& to);
  template <class To>
  void feed_rich(const Event& event, EventIndex now, To& to);
  template <class To>
  void begin(const Event& event, EventIndex now, To& to);
  template <class To>
  void end(const Event& event, To& to);
  template <class To>
  void cut(ThreadId t, EventIndex now, To& to);
  bool cuts_at(const Event& event);
  template <class To>
  void touch(ThreadId t, To& to) {
    to.on_acquire(t, kNeverReleased);
  }
  template <class To>
  void acquire(ThreadId t, LockId lock, To& to);
  template <class To>
  void acquire_after_readers(ThreadId t, SharedLock& shared, To& to);
  template <class To>
  void release(ThreadId t, LockId lock, To& to);
  template <class To>
  void shared_acquire(ThreadId t, LockId lock, To& to);
  template <class To>
  void shared_release(ThreadId t, LockId lock, EventIndex now, To& to);
  template <class To>
  void signal(const Event& event, EventIndex now, To& to);
  template <class To>
  void await(const Event& event, EventIndex now, To& to);
  template <class To>
  LockId engine_lock(LockId lock, To& to);
  template <class To>
  LockId new_lock(Origin origin, To& to);
  template <class To>
  LockId released_by(std::vector<Releaser>& releasers, ThreadId t, EventIndex now, Origin origin,
                     To& to);
  static EventIndex last_of(const std::vector<Releaser>& releasers, ThreadId t);
  SharedLock* shared_lock(LockId lock) {
    return lock.v < shared_locks_.size() && shared_locks_[lock.v].used ? &shared_locks_[lock.v]
                                                                       : nullptr;
  }

  struct MaybeSharedLock : SharedLock {
    bool used = false;
  };

  bool locks_conflict_;
  bool splits_;
  bool tracks_;
  bool follows_locks_;  // is to say which locks guard something
  bool needs_attempts_ = false;
  EventIndex part_end_ = kNoEvent;
  std::uint64_t cuts_ = 0;
  Extent extent_;  // of the trace
  IdTable<ThreadId, Thread> threads_;
  std::vector<std::uint32_t> locks_;           // lock of the trace -> lock of the engine; kUnused
  LockUses lock_uses_;                         // where locks do not conflict
  IdTable<LockId, Origin> origins_;            // lock of the engine -> what it stands for
  std::uint32_t lock_count_ = 0;               // locks of the engine
  std::vector<MaybeSharedLock> shared_locks_;  // by lock of the trace
  std::vector<Signal> signals_;
  Attempts attempts_;
};

}  // namespace omnium

#include "event/lowering_rules.h"
