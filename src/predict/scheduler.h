// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Builds one interleaving of the recorded events: program order, mutual exclusion, fork and join
// hold at every step, because a thread that is blocked lets the one that blocks it go first.
#pragma once

#include <span>
#include <vector>

#include "event/event.h"

namespace omnium::predict {

class Scheduler {
 public:
  Scheduler(std::span<const Event> events, const Extent& extent);

  // Forgets what was scheduled.
  void restart();

  // Schedules `goals` in this order, each as early as possible, and everything else in the order in
  // which it was recorded: what was recorded before `prefix` first, the rest last. `early`: the
  // threads of later goals go as far as they may before the first goal, so that what they have to
  // do on the way (take a lock, say) is over. False if that got stuck or took more than `budget`
  // steps; the budget is reduced by what was used.
  bool realize(std::span<const EventIndex> goals, EventIndex prefix, bool early,
               std::uint64_t& budget);

  // What was scheduled.
  const std::vector<EventIndex>& order() const { return order_; }

 private:
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  enum class Step { kDone, kBlocked, kStuck };

  bool advance(EventIndex goal, std::uint64_t& budget);
  Step try_next(std::uint32_t thread, std::uint32_t& blocker);
  bool done(EventIndex index) const;
  void set_limits(std::span<const EventIndex> goals);
  bool approach(std::span<const EventIndex> goals, std::uint64_t& budget);

  std::span<const Event> events_;
  std::vector<std::vector<EventIndex>> threads_;  // events by thread
  std::vector<EventIndex> forked_at_;             // per thread; kNoEvent: not forked
  std::vector<std::size_t> next_;
  std::vector<std::uint32_t> holder_;  // per lock
  std::vector<EventIndex> limit_;      // per thread: not to be scheduled yet
  std::vector<EventIndex> order_;
  std::vector<std::uint32_t> waiting_;  // scratch: each waits for the next
};

}  // namespace omnium::predict
