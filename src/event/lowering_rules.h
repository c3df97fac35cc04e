// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The rules of event/lowering.h, one function per family of events.
#pragma once

#include <algorithm>

#include "event/lowering.h"

namespace omnium {

template <LoweringTarget To>
void Lowering::grow(const Extent& extent, To& to) {
  extent_ = extent;
  threads_.grow_to(extent.threads);
  if (locks_conflict_ && locks_.size() < extent.locks) locks_.resize(extent.locks, kUnused);
  if (follows_locks_) lock_uses_.grow_to(extent);
  if (tracks_) attempts_.grow_to(extent);
  if (lock_count_ == 0) {
    origins_.grow_to(1);
    lock_count_ = 1;  // kNeverReleased
  }
  Extent lowered = extent;
  lowered.locks = static_cast<std::uint32_t>(origins_.size());
  to.grow(lowered);
}

// Cutting comes before the event counts for other parts, and so does judging an attempt.
template <class To>
void Lowering::feed_tracked(const Event& event, EventIndex now, To& to) {
  if (event.kind == Kind::kSkip) return;
  feed_untracked(event, now, to);
  attempts_.event(event, locks_conflict_);
}

// The core events: which of them comes next is hard to predict, so this is one switch.
template <class To>
[[gnu::always_inline]] inline void Lowering::feed_other(const Event& event, EventIndex now,
                                                        To& to) {
  const ThreadId t = event.thread();
  if (follows_locks_) lock_uses_.accessed(t, threads_[t].last != threads_[t].last_other);
  switch (event.kind) {
    case Kind::kAcquire:
      if (locks_conflict_) {
        acquire(t, event.lock(), to);
        break;
      }
      if (follows_locks_) lock_uses_.taken(t, event.lock(), false);
      touch(t, to);
      break;
    case Kind::kRelease:
      if (locks_conflict_) {
        release(t, event.lock(), to);
        break;
      }
      if (follows_locks_) lock_uses_.given_back(t, event.lock(), false);
      touch(t, to);
      break;
    case Kind::kBegin: begin(event, now, to); break;
    case Kind::kEnd: end(event, to); break;
    case Kind::kFork: to.on_fork(t, event.other()); break;
    case Kind::kSkip: return;
    default: feed_rich(event, now, to); break;
  }
  threads_[t].last = threads_[t].last_other = now;
}

template <class To>
[[gnu::noinline]] void Lowering::feed_rich(const Event& event, EventIndex now, To& to) {
  const ThreadId t = event.thread();
  if (splits_ && cuts_at(event)) cut(t, now, to);
  if (follows_locks_) lock_uses_.event(event);
  const auto access = [&](Kind kind) {
    Event lowered = event;
    lowered.kind = kind;
    dispatch(to, lowered);
  };
  switch (event.kind) {
    case Kind::kJoin: return to.on_join(t, event.other());
    case Kind::kAtomicRead:
    case Kind::kRetry: return access(Kind::kRead);
    case Kind::kAtomicWrite:
    case Kind::kUpdate: return access(Kind::kWrite);
    case Kind::kSignal: return signal(event, now, to);
    case Kind::kAwait: return await(event, now, to);
    default: break;
  }
  if (!locks_conflict_) return touch(t, to);
  switch (event.kind) {
    case Kind::kSharedAcquire: return shared_acquire(t, event.lock(), to);
    case Kind::kSharedRelease: return shared_release(t, event.lock(), now, to);
    case Kind::kWait: return release(t, event.lock(), to);
    case Kind::kResume: return acquire(t, event.lock(), to);
    default: return touch(t, to);
  }
}

template <class To>
inline void Lowering::begin(const Event& event, EventIndex now, To& to) {
  const ThreadId t = event.thread();
  if (splits_) {
    Thread& thread = threads_[t];
    if (thread.blocks.empty()) {
      thread.part = now;
      if (tracks_) attempts_.part_begins(t);
    }
    thread.blocks.push_back({event.label(), now});
  }
  to.on_begin(t, event.label());
}

template <class To>
inline void Lowering::end(const Event& event, To& to) {
  const ThreadId t = event.thread();
  to.on_end(t);
  if (!splits_) return;
  Thread& thread = threads_[t];
  if (thread.blocks.empty()) return;  // its begin lies before the stretch that is looked at
  thread.blocks.pop_back();
  if (thread.blocks.empty() && tracks_) attempts_.block_ends(t);
}

// The blocks end between two events. What that shows is known as of the event before this one; the
// last event of the part is the thread's last one.
template <class To>
void Lowering::cut(ThreadId t, EventIndex now, To& to) {
  ++cuts_;
  Thread& thread = threads_[t];
  part_end_ = thread.last;
  to.at(now - 1);
  for (std::size_t i = 0; i < thread.blocks.size(); ++i) to.on_end(t);
  to.at(now);
  part_end_ = kNoEvent;
  for (const OpenBlock& block : thread.blocks) to.on_begin(t, block.label);
  thread.part = now;
  if (tracks_) attempts_.part_begins(t);
}

inline EventIndex Lowering::last_of(const std::vector<Releaser>& releasers, ThreadId t) {
  const auto at = std::ranges::find(releasers, t, &Releaser::thread);
  return at == releasers.end() ? kNoEvent : at->last;
}

// Gives t's releaser its new place at the end, so that they stay in the order of their last time.
template <class To>
LockId Lowering::released_by(std::vector<Releaser>& releasers, ThreadId t, EventIndex now,
                             Origin origin, To& to) {
  auto mine = std::ranges::find(releasers, t, &Releaser::thread);
  if (mine == releasers.end()) {
    releasers.push_back({t, new_lock(origin, to), now});
    return releasers.back().lock;
  }
  mine->last = now;
  const LockId lock = mine->lock;
  std::rotate(mine, mine + 1, releasers.end());
  return lock;
}

template <class To>
void Lowering::signal(const Event& event, EventIndex now, To& to) {
  if (signals_.size() <= event.object) signals_.resize(extent_.signals);
  const Origin origin{Origin::Kind::kSignal, event.object};
  const ThreadId t = event.thread();
  to.on_release(t, released_by(signals_[event.object].signallers, t, now, origin, to));
}

// Depends on each other thread's last signal that the thread has not awaited yet.
template <class To>
void Lowering::await(const Event& event, EventIndex now, To& to) {
  const ThreadId t = event.thread();
  bool depends = false;
  if (event.object < signals_.size()) {
    Signal& signal = signals_[event.object];
    const EventIndex awaited = last_of(signal.awaiters, t);
    for (const Releaser& signaller : signal.signallers) {
      if (signaller.thread == t || (awaited != kNoEvent && signaller.last < awaited)) continue;
      to.on_acquire(t, signaller.lock);
      depends = true;
    }
    auto mine = std::ranges::find(signal.awaiters, t, &Releaser::thread);
    if (mine == signal.awaiters.end()) {
      signal.awaiters.push_back({t, kNeverReleased, now});
    } else {
      mine->last = now;
    }
  }
  if (!depends) touch(t, to);
}

// As a write after reads: it depends on the readers since the last exclusive section, or on that
// section if there were none.
template <class To>
[[gnu::always_inline]] inline void Lowering::acquire(ThreadId t, LockId lock, To& to) {
  SharedLock* shared = shared_lock(lock);
  if (shared != nullptr && shared->read_since) return acquire_after_readers(t, *shared, to);
  to.on_acquire(t, engine_lock(lock, to));
}

template <class To>
[[gnu::noinline]] void Lowering::acquire_after_readers(ThreadId t, SharedLock& shared, To& to) {
  bool depends = false;
  for (const Releaser& reader : shared.readers) {
    if (reader.thread == t || reader.last == kNoEvent) continue;
    to.on_acquire(t, reader.lock);
    depends = true;
  }
  for (Releaser& reader : shared.readers) reader.last = kNoEvent;
  shared.entered.clear();
  shared.read_since = false;
  if (!depends) touch(t, to);
}

template <class To>
void Lowering::release(ThreadId t, LockId lock, To& to) {
  to.on_release(t, engine_lock(lock, to));
}

// As a read: it depends on the last exclusive section, the first time.
template <class To>
void Lowering::shared_acquire(ThreadId t, LockId lock, To& to) {
  if (shared_locks_.size() <= lock.v) shared_locks_.resize(extent_.locks);
  MaybeSharedLock& shared = shared_locks_[lock.v];
  shared.used = true;
  shared.read_since = true;
  if (std::ranges::count(shared.entered, t) != 0) return touch(t, to);
  shared.entered.push_back(t);
  to.on_acquire(t, engine_lock(lock, to));
}

template <class To>
void Lowering::shared_release(ThreadId t, LockId lock, EventIndex now, To& to) {
  const Origin origin{Origin::Kind::kLock, lock.v};
  to.on_release(t, released_by(shared_locks_[lock.v].readers, t, now, origin, to));
}

template <class To>
[[gnu::always_inline]] inline LockId Lowering::engine_lock(LockId lock, To& to) {
  std::uint32_t& id = locks_[lock.v];
  if (id == kUnused) [[unlikely]]
    id = new_lock({Origin::Kind::kLock, lock.v}, to).v;
  return {id};
}

// Tables grow by doubling: locks of the engine appear one by one.
template <class To>
[[gnu::noinline]] LockId Lowering::new_lock(Origin origin, To& to) {
  const LockId lock{lock_count_++};
  if (lock.v >= origins_.size()) {
    origins_.grow_to(2 * lock.v);
    Extent lowered = extent_;
    lowered.locks = static_cast<std::uint32_t>(origins_.size());
    to.grow(lowered);
  }
  origins_[lock] = origin;
  return lock;
}

}  // namespace omnium
