// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Takes events out of a batch that mean little to an engine where locks do not conflict: taking a
// lock and giving it back. For the thread that reads ahead of an engine. (kSkip means nothing at
// all and goes, too.)
//
// Such an event is the last one of its thread until the next. So the last one of each thread that
// was taken out is put back, with its own index, before an event that asks what a thread did last,
// and at the end of the batch. The first event of a thread is where its fork matters, and stays.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "event/event.h"
#include "event/lock_uses.h"

namespace omnium {

class Thinning {
 public:
  // Tells `uses` which locks are used (Lowering::hand_over_lock_uses).
  explicit Thinning(LockUses& uses) : uses_(&uses) {}

  // A batch: begin(), add() for each event of it in order, and finish(), which returns how many
  // events are left. They come first in the batch, and loc_id is where each one was in it.
  void begin(std::span<Event> batch, const Extent& extent) {
    batch_ = batch;
    next_ = left_ = 0;
    everything_stays_ = extent.threads > kMostThreads;
    uses_->grow_to(extent);
  }
  void add(const Event& event);
  std::size_t finish() {
    put_back();
    return left_;
  }

 private:
  static constexpr std::uint32_t kMostThreads = 64;

  [[gnu::noinline]] void put_back();

  LockUses* uses_;
  std::span<Event> batch_;
  std::uint32_t next_ = 0, left_ = 0;
  bool everything_stays_ = false;  // more threads than bits
  std::uint64_t seen_ = 0;         // threads that were left an event
  std::uint64_t gone_ = 0;         // threads whose last event so far is taken out
  std::array<Event, kMostThreads> last_gone_{};
};

inline void Thinning::add(const Event& event) {
  if (event.kind == Kind::kSkip) [[unlikely]] {
    ++next_;
    return;
  }
  const bool takes = event.kind == Kind::kAcquire, gives = event.kind == Kind::kRelease;
  if (takes) {
    uses_->taken(event.thread(), event.lock(), false);
  } else if (gives) {
    uses_->given_back(event.thread(), event.lock(), false);
  } else if (event.kind <= Kind::kFork) {
    uses_->accessed(event.thread(), event.kind <= Kind::kWrite);
  } else {
    uses_->event(event);
    put_back();
  }
  const std::uint64_t thread = std::uint64_t{1} << event.thread_id % kMostThreads;
  const bool goes = (takes || gives) && (seen_ & thread) != 0 && !everything_stays_;
  Event placed = event;
  placed.loc_id = next_++;
  batch_[left_] = placed;
  left_ += !goes;
  seen_ |= thread;
  if (goes) {
    gone_ |= thread;
    last_gone_[event.thread_id] = placed;
  } else {
    gone_ &= ~thread;
  }
}

}  // namespace omnium
