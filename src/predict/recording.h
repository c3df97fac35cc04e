// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What a recorded trace says about each of its events that other interleavings have to keep
// (docs/algorithms/prediction.md#admissible): which write a read saw, which signals an await was
// behind, which wait a notification ended. Finds the state of locks and variables at any point of
// the recording without replaying it, so that a search may start anywhere.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "event/event.h"

namespace omnium::predict {

// A list of events per key, all in one array.
class EventLists {
 public:
  // `key(event)` below `keys`, or kNoKey for events that are in no list.
  static constexpr std::uint32_t kNoKey = ~std::uint32_t{0};
  template <class Key>
  void build(std::span<const Event> events, std::uint32_t keys, Key&& key);

  std::span<const std::uint32_t> operator[](std::uint32_t key) const {
    return std::span(items_).subspan(first_[key], first_[key + 1] - first_[key]);
  }

 private:
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> items_;
};

// Who holds a lock: one thread exclusively, or readers.
struct Holders {
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  std::uint32_t exclusive = kNobody;
  std::vector<std::uint32_t> readers;

  bool free() const { return exclusive == kNobody && readers.empty(); }
  bool held_by_another(std::uint32_t thread) const;
};

class Recording {
 public:
  // `follows`, by signal: the one that it comes after, in every interleaving, without being in
  // conflict with it; none for those that are not in the list.
  Recording(std::span<const Event> events, const Extent& extent,
            std::span<const SignalId> follows = {});

  std::size_t size() const { return events_.size(); }
  std::span<const Event> events() const { return events_; }
  const Event& operator[](EventIndex event) const { return events_[event]; }
  const Extent& extent() const { return extent_; }

  // The events of a thread, and how many of them were recorded before `at`.
  std::span<const std::uint32_t> of_thread(std::uint32_t thread) const { return threads_[thread]; }
  std::uint32_t position(std::uint32_t thread, EventIndex at) const;

  // The write that a read saw, or the last one before `at`; kNoEvent: the initial value.
  EventIndex write_seen(EventIndex read) const {
    return last_write(events_[read].variable(), read);
  }
  EventIndex last_write(VarId variable, EventIndex at) const;

  Holders holders(LockId lock, EventIndex at) const;
  // The first try that failed although no other thread held the lock; kNoEvent: there is none. What
  // was recorded up to there is no admissible interleaving.
  EventIndex contradiction() const { return contradiction_; }
  // The signals that an await, or a signal that follows others, was behind.
  std::span<const std::uint32_t> signals_before(EventIndex event) const;
  // Whether any thread awaits it.
  bool is_awaited(SignalId signal) const { return awaited_[signal.v]; }
  // The waits that a notification ended.
  std::span<const std::uint32_t> waits_ended_by(EventIndex signal) const;
  // A channel is what orders threads: a signal; or a wait, which comes before the notification that
  // ends it. Channels of waits are numbered behind those of signals.
  std::uint32_t channels() const {
    return extent_.signals + static_cast<std::uint32_t>(wait_channels_.size());
  }
  static constexpr std::uint32_t kNoChannel = ~std::uint32_t{0};
  // kNoChannel: no notification ended this wait.
  std::uint32_t channel_of_wait(EventIndex wait) const;
  // Where a thread was forked; kNoEvent: it was not.
  EventIndex fork_of(std::uint32_t thread) const { return forks_[thread]; }

 private:
  void find_notifications();
  void find_contradiction();

  std::span<const Event> events_;
  Extent extent_;
  EventLists threads_;
  EventLists writes_;    // by variable
  EventLists lock_ops_;  // by lock, without tries that failed
  EventLists signals_;
  std::vector<std::uint32_t> users_;  // per lock: how many threads use it
  std::vector<EventIndex> forks_;
  EventIndex contradiction_ = kNoEvent;
  std::span<const SignalId> follows_;
  std::vector<bool> awaited_;  // per signal
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> ended_waits_;
  std::unordered_map<std::uint32_t, std::uint32_t> wait_channels_;
};

}  // namespace omnium::predict
