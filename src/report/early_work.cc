// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/early_work.h"

#include <algorithm>
#include <map>
#include <set>

namespace omnium::report {

namespace {

// Of one thread: what it has done since it last held no lock of its own.
struct Section {
  std::vector<std::size_t> places;  // in the order
  std::multiset<std::uint32_t> locks;
};

class Moving {
 public:
  Moving(std::span<const Event> events, std::span<const EventIndex> order,
         std::span<const EventIndex> open, std::size_t threads)
      : events_(events), order_(order), moves_(order.size(), false), stays_(threads, false) {
    for (const EventIndex index : open) {
      const Event& event = events_[index];
      if (takes_lock(event.kind)) held_.emplace(event.object, event.thread_id);
    }
    if (!order_.empty()) stays_[events_[order_.front()].thread_id] = true;
    for (const EventIndex index : order_) {
      const Event& event = events_[index];
      if (may_start_part(event.kind)) stays_[event.thread_id] = true;
      if (event.kind == Kind::kJoin) stays_[event.object] = true;
    }
  }

  EarlyWork result() && {
    for (std::size_t place = 0; place < order_.size(); ++place) pass(place);
    EarlyWork out;
    for (std::size_t place = 0; place < order_.size(); ++place) {
      (moves_[place] ? out.before : out.after).push_back(order_[place]);
    }
    return out;
  }

 private:
  void pass(std::size_t place) {
    const Event& event = events_[order_[place]];
    const std::uint32_t thread = event.thread_id;
    if (!stays_[thread] && !may_move(event)) stays_[thread] = true;
    if (stays_[thread]) {
      if (event.kind == Kind::kFork) stays_[event.object] = true;
    } else {
      Section& section = sections_[thread];
      section.places.push_back(place);
      if (takes_lock(event.kind)) section.locks.insert(event.object);
      if (gives_lock_back(event.kind)) {
        if (const auto at = section.locks.find(event.object); at != section.locks.end()) {
          section.locks.erase(at);
        }
      }
      if (section.locks.empty()) return move(thread, section);
    }
    if (is_access(event.kind)) accesses_[event.object].push_back({thread, is_write(event.kind)});
  }

  void move(std::uint32_t thread, Section& section) {
    for (const std::size_t place : section.places) {
      moves_[place] = true;
      const Event& event = events_[order_[place]];
      if (!is_access(event.kind)) continue;
      std::erase_if(accesses_[event.object], [&](const Access& it) { return it.thread == thread; });
    }
    section.places.clear();
  }

  bool may_move(const Event& event) const {
    switch (event.kind) {
      case Kind::kAcquire:
      case Kind::kSharedAcquire: {
        const auto [first, last] = held_.equal_range(event.object);
        return std::all_of(first, last,
                           [&](const auto& it) { return it.second == event.thread_id; });
      }
      case Kind::kRelease:
      case Kind::kSharedRelease:
      case Kind::kBegin:
      case Kind::kEnd:
      case Kind::kSkip: return true;
      case Kind::kRead:
      case Kind::kWrite:
      case Kind::kAtomicRead:
      case Kind::kAtomicWrite:
      case Kind::kUpdate: return !conflicts(event);
      default: return false;
    }
  }

  // With an access of another thread that stays, or may.
  bool conflicts(const Event& event) const {
    const auto at = accesses_.find(event.object);
    return at != accesses_.end() && std::ranges::any_of(at->second, [&](const Access& it) {
             return it.thread != event.thread_id && (it.writes || is_write(event.kind));
           });
  }

  struct Access {
    std::uint32_t thread;
    bool writes;
  };

  std::span<const Event> events_;
  std::span<const EventIndex> order_;
  std::vector<bool> moves_;                                // by place
  std::vector<bool> stays_;                                // by thread
  std::multimap<std::uint32_t, std::uint32_t> held_;       // lock -> thread, where the order starts
  std::map<std::uint32_t, Section> sections_;              // by thread
  std::map<std::uint32_t, std::vector<Access>> accesses_;  // by variable: those that did not move
};

}  // namespace

EarlyWork early_work(std::span<const Event> events, std::span<const EventIndex> order,
                     std::span<const EventIndex> open, std::size_t threads) {
  const auto must_stay = [&](EventIndex index) {
    const Event& event = events[index];
    // A try that failed needs the section that was in its way.
    return event.kind == Kind::kBusy ||
           (may_start_part(event.kind) && event.thread() == events[order.front()].thread());
  };
  if (std::ranges::any_of(order, must_stay)) return {{}, {order.begin(), order.end()}};
  return Moving(events, order, open, threads).result();
}

}  // namespace omnium::report
