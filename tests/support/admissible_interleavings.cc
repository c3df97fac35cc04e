// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/admissible_interleavings.h"

#include <algorithm>
#include <set>

#include "tests/support/reference.h"

namespace omnium::test {

namespace {

using predict::Grade;
using Order = std::vector<EventIndex>;

// The last write of the variable in a sequence of events; kNoEvent: none.
EventIndex last_write(std::span<const Event> events, std::span<const EventIndex> order,
                      std::uint32_t variable) {
  EventIndex last = kNoEvent;
  for (const EventIndex index : order) {
    if (is_write(events[index].kind) && events[index].object == variable) last = index;
  }
  return last;
}

// Checks one event after the other against everything that came before it.
class Rules {
 public:
  explicit Rules(std::span<const Event> events) : events_(events) {
    for (EventIndex i = 0; i < events.size(); ++i) recorded_.push_back(i);
  }

  // Whether the threads allow `next` after `order`, whatever they read.
  bool allow(std::span<const EventIndex> order, EventIndex next) const {
    const Event& event = events_[next];
    for (EventIndex i = 0; i < next; ++i) {
      const Event& earlier = events_[i];
      const bool same_thread = earlier.thread_id == event.thread_id;
      const bool forks = earlier.kind == Kind::kFork && earlier.object == event.thread_id;
      const bool joined = event.kind == Kind::kJoin && earlier.thread_id == event.object;
      const bool fork_of_joined = event.kind == Kind::kJoin && earlier.kind == Kind::kFork &&
                                  earlier.object == event.object;
      const bool signals = event.kind == Kind::kAwait && earlier.kind == Kind::kSignal &&
                           earlier.object == event.object;
      const bool ended = event.kind == Kind::kSignal && ended_wait(i, next);
      if ((same_thread || forks || joined || fork_of_joined || signals || ended) &&
          !happened(order, i)) {
        return false;
      }
    }
    return locks_allow(order, event);
  }

  EventIndex seen_in_recording(EventIndex read) const {
    return last_write(events_, std::span(recorded_).first(read), events_[read].object);
  }

 private:
  static bool happened(std::span<const EventIndex> order, EventIndex event) {
    return std::ranges::find(order, event) != order.end();
  }
  // Some thread waited at `wait`, and before it resumed it awaited what `signal` gave.
  bool ended_wait(EventIndex wait, EventIndex signal) const {
    if (events_[wait].kind != Kind::kWait || events_[wait].thread_id == events_[signal].thread_id) {
      return false;
    }
    for (EventIndex i = wait + 1; i < events_.size(); ++i) {
      const Event& event = events_[i];
      if (event.thread_id != events_[wait].thread_id) continue;
      if (event.kind == Kind::kResume || event.kind == Kind::kWait) return false;
      if (event.kind == Kind::kAwait && event.object == events_[signal].object && i > signal) {
        return true;
      }
    }
    return false;
  }
  bool locks_allow(std::span<const EventIndex> order, const Event& event) const {
    const bool takes = takes_lock(event.kind);
    if (!takes && event.kind != Kind::kBusy) return true;
    std::multiset<std::uint16_t> exclusive, shared;
    for (const EventIndex index : order) {
      const Event& earlier = events_[index];
      if (earlier.object != event.object) continue;
      auto& holders = is_shared_side(earlier.kind) ? shared : exclusive;
      if (takes_lock(earlier.kind)) holders.insert(earlier.thread_id);
      if (gives_lock_back(earlier.kind)) holders.erase(holders.find(earlier.thread_id));
    }
    if (event.kind == Kind::kBusy) {
      return exclusive.size() + shared.size() >
             exclusive.count(event.thread_id) + shared.count(event.thread_id);
    }
    return exclusive.empty() && (is_shared_side(event.kind) || shared.empty());
  }

  std::span<const Event> events_;
  Order recorded_;
};

// The grade of an interleaving that the threads allow, by what its reads see.
Grade grade_by_reads(std::span<const Event> events, const Rules& rules,
                     std::span<const EventIndex> order) {
  Grade grade = Grade::kCertain;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Event& event = events[order[i]];
    if (!is_read(event.kind)) continue;
    if (last_write(events, order.first(i), event.object) == rules.seen_in_recording(order[i])) {
      continue;
    }
    const bool last =
        std::none_of(order.begin() + static_cast<std::ptrdiff_t>(i) + 1, order.end(),
                     [&](EventIndex later) { return events[later].thread_id == event.thread_id; });
    const bool plain = event.kind == Kind::kRead;
    if (last && (plain || event.kind == Kind::kAtomicRead)) continue;
    grade = std::min(grade, plain ? Grade::kPossible : Grade::kSpeculative);
  }
  return grade;
}

class Enumerator {
 public:
  Enumerator(std::span<const Event> events, CheckMode mode)
      : events_(events), mode_(mode), rules_(events) {}

  GradedTrace run() && {
    extend();
    return std::move(result_);
  }

 private:
  void extend() {
    for (EventIndex next = 0; next < events_.size(); ++next) {
      if (std::ranges::find(order_, next) != order_.end() || !rules_.allow(order_, next)) continue;
      order_.push_back(next);
      judge();
      extend();
      order_.pop_back();
    }
  }

  void judge() {
    const Grade grade = grade_by_reads(events_, rules_, order_);
    std::vector<Event> events;
    for (const EventIndex index : order_) events.push_back(events_[index]);
    const Reference reference(events, mode_);
    if (reference.verdict().serializable) return;
    result_.best = std::max(result_.best, grade);
    for (const BlockRef& transaction : reference.verdict().violating) {
      // The outermost block around the part.
      EventIndex begin = kNoEvent;
      int depth = 0;
      for (EventIndex i = 0; i <= order_[transaction.begin]; ++i) {
        if (events_[i].thread() != transaction.thread) continue;
        if (events_[i].kind == Kind::kBegin && depth++ == 0) begin = i;
        if (events_[i].kind == Kind::kEnd) --depth;
      }
      Grade& best = result_.blocks[begin];
      best = std::max(best, grade);
    }
  }

  std::span<const Event> events_;
  CheckMode mode_;
  Rules rules_;
  Order order_;
  GradedTrace result_;
};

}  // namespace

Grade grade_of_interleaving(std::span<const Event> events, std::span<const EventIndex> order) {
  const Rules rules(events);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (!rules.allow(order.first(i), order[i])) return Grade::kUndecided;
  }
  return grade_by_reads(events, rules, order);
}

GradedTrace grade_by_definition(std::span<const Event> events, CheckMode mode) {
  return Enumerator(events, mode).run();
}

}  // namespace omnium::test
