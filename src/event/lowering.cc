// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "event/lowering.h"

namespace omnium {

// Waiting: a new part of the block begins where the thread resumes; where it awaits (joins) what
// happened since its part began; and where an attempt failed that nobody noticed.
bool Lowering::cuts_at(const Event& event) {
  const Thread& thread = threads_[event.thread()];
  if (thread.blocks.empty()) return false;
  const auto since = [&](EventIndex index) { return index != kNoEvent && index > thread.part; };
  switch (event.kind) {
    case Kind::kResume: return true;
    case Kind::kJoin: return since(threads_[event.other()].last);
    case Kind::kAwait: {
      if (event.object >= signals_.size()) return false;
      const auto& signallers = signals_[event.object].signallers;
      return std::ranges::any_of(signallers, [&](const Releaser& signaller) {
        return signaller.thread != event.thread() && since(signaller.last);
      });
    }
    case Kind::kRetry:
      if (!tracks_) {
        needs_attempts_ = true;
        return false;
      }
      return attempts_.unnoticed(event.thread(), event.variable());
    default: return false;
  }
}

LockUses& Lowering::hand_over_lock_uses() {
  for (ThreadId t{0}; follows_locks_ && t.v < threads_.size(); ++t.v) {
    lock_uses_.accessed(t, threads_[t].last != threads_[t].last_other);
  }
  follows_locks_ = false;
  return lock_uses_;
}

}  // namespace omnium
