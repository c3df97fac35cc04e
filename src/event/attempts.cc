// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "event/attempts.h"

#include <algorithm>

namespace omnium {

void Attempts::grow_to(const Extent& extent) {
  threads_.grow_to(extent.threads);
  variables_.grow_to(extent.variables);
  locks_.grow_to(extent.locks);
  signals_.grow_to(extent.signals);
}

void Attempts::part_begins(ThreadId t) {
  Thread& thread = threads_[t];
  thread.part = ++thread.parts;
  thread.noticed = false;
  thread.noticed_attempts = VarId::none();
}

void Attempts::block_ends(ThreadId t) { threads_[t].part = 0; }

bool Attempts::unnoticed(ThreadId t, VarId x) const {
  const Thread& thread = threads_[t];
  return !thread.noticed && (thread.noticed_attempts.is_none() || thread.noticed_attempts == x);
}

void Attempts::event(const Event& event, bool locks_conflict) {
  const ThreadId t = event.thread();
  notice_fork(threads_[t]);
  switch (event.kind) {
    case Kind::kFork:
      threads_[event.other()].forker = t;
      threads_[event.other()].forker_part = threads_[t].part;
      return;
    case Kind::kJoin:
      if (threads_[event.other()].forker != t) notice_fork(threads_[event.other()]);
      return;
    case Kind::kSignal: return give_back(signals_[event.signal()], t, true);
    case Kind::kAwait: return take(signals_[event.signal()], t, false);
    default: break;
  }
  if (is_access(event.kind)) return access(event);
  if (!locks_conflict) return;
  const bool exclusive = !is_shared_side(event.kind);
  if (gives_lock_back(event.kind)) give_back(locks_[event.lock()], t, exclusive);
  if (takes_lock(event.kind)) take(locks_[event.lock()], t, exclusive);
}

// Whoever forked the thread is noticed by its first event.
void Attempts::notice_fork(Thread& child) {
  if (child.forker.is_none()) return;
  const Use fork{child.forker, child.forker_part, true, false};
  child.forker = ThreadId::none();
  if (fork.part != 0 && live(fork)) notice(fork, VarId::none());
}

void Attempts::access(const Event& event) {
  const ThreadId t = event.thread();
  const bool writes = is_write(event.kind);
  Uses& uses = variables_[event.variable()];
  std::erase_if(uses, [&](const Use& use) {
    if (use.thread == t) return false;
    if (!live(use)) return true;
    if (!writes && !use.writes) return false;
    notice(use, event.variable());
    return writes;  // noticed: nothing more can come of it
  });
  if (threads_[t].part == 0) return;
  Use& own = own_use(uses, t);
  own.writes |= writes;
  own.attempts_only &= event.kind == Kind::kAtomicRead || event.kind == Kind::kRetry;
}

void Attempts::give_back(Uses& uses, ThreadId t, bool exclusive) {
  if (threads_[t].part == 0) return;
  Use& own = own_use(uses, t);
  own.writes |= exclusive;
  own.attempts_only = false;
}

// A lock whose exclusive side was given back is noticed by whoever takes it, one whose shared side
// was given back by whoever takes it exclusively.
void Attempts::take(Uses& uses, ThreadId t, bool exclusive) {
  std::erase_if(uses, [&](const Use& use) {
    if (!live(use)) return true;
    if (use.thread != t && (exclusive || use.writes)) notice(use, VarId::none());
    return false;
  });
}

void Attempts::notice(const Use& use, VarId x) {
  Thread& thread = threads_[use.thread];
  const bool same = thread.noticed_attempts.is_none() || thread.noticed_attempts == x;
  if (use.attempts_only && same) {
    thread.noticed_attempts = x;
  } else {
    thread.noticed = true;
  }
}

Attempts::Use& Attempts::own_use(Uses& uses, ThreadId t) {
  auto own = std::ranges::find(uses, t, &Use::thread);
  const Use fresh{t, threads_[t].part, false, true};
  if (own == uses.end()) return uses.emplace_back(fresh);
  if (!live(*own)) *own = fresh;
  return *own;
}

}  // namespace omnium
