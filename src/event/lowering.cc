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

void Lowering::use_lock(const Event& event) {
  const bool shared = is_shared_side(event.kind);
  if (takes_lock(event.kind)) begin_section(event.thread(), event.lock(), shared);
  if (gives_lock_back(event.kind)) end_section(event.thread(), event.lock(), shared);
}

std::vector<bool> Lowering::locks_without_access() const {
  const auto is_one = [](const LockUse& use) { return use.several_users && !use.guards; };
  if (std::ranges::none_of(lock_uses_, is_one)) return {};
  std::vector<bool> out;
  for (const LockUse& use : lock_uses_) out.push_back(is_one(use));
  return out;
}

}  // namespace omnium
