// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "hunt/pairs.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "hunt/thread_order.h"
#include "support/place.h"

namespace omnium::hunt {

namespace {

struct Access {
  ThreadId thread;
  Kind kind;
  LocId place;
  EventIndex at;
  LocId gate;  // where its thread took the first of the locks that it holds; none: it holds none
};

class Pairs {
 public:
  Pairs(const predict::LoadedTrace& trace, const Names& names, std::size_t most)
      : names_(names), most_(most), order_(trace.events) {
    for (EventIndex i = 0; i < trace.events.size(); ++i) take(trace.events[i], i);
  }

  std::vector<Target> targets() && {
    targets_.insert(targets_.end(), later_.begin(), later_.end());
    if (targets_.size() > most_) targets_.resize(most_);
    return std::move(targets_);
  }

 private:
  static constexpr std::size_t kMostSeen = 16;  // of a variable, at different places

  void take(const Event& event, EventIndex at) {
    auto& held = held_[event.thread()];
    if (event.kind == Kind::kAcquire || event.kind == Kind::kSharedAcquire) {
      held.emplace_back(event.lock(), event.loc());
    } else if (gives_lock_back(event.kind)) {
      std::erase_if(held, [&](const auto& entry) { return entry.first == event.lock(); });
    } else if (is_access(event.kind) && !event.loc().is_none()) {
      const LocId gate = held.empty() ? LocId::none() : held.front().second;
      meet({event.thread(), event.kind, event.loc(), at, gate}, seen_[event.variable()]);
    }
  }

  void meet(const Access& access, std::vector<Access>& seen) {
    for (const Access& earlier : seen) {
      if (is_write(earlier.kind) || is_write(access.kind)) turn_round(earlier, access);
    }
    const bool is_known = std::ranges::any_of(seen, [&](const Access& earlier) {
      return earlier.thread == access.thread && earlier.place == access.place &&
             earlier.kind == access.kind;
    });
    if (!is_known && seen.size() < kMostSeen) seen.push_back(access);
  }

  void turn_round(const Access& first, const Access& second) {
    if (first.thread == second.thread || targets_.size() >= most_) return;
    if (order_.is_fixed({first.thread, first.at}, {second.thread, second.at})) return;
    const bool is_new = known_.insert({first.place, first.kind, second.place, second.kind}).second;
    if (!is_new) return;
    // What a thread has read decides where it goes, so reads are more interesting.
    auto& list = is_write(first.kind) && is_write(second.kind) ? later_ : targets_;
    Step later = step_of(first, 1);
    later.same = 0;
    Step held = step_of(second, 0);
    held.hold = true;
    const Target turned_and_held{"", {held, later}};
    later.late = true;
    list.push_back({"", {step_of(second, 0), later}});
    list.push_back(turned_and_held);
    held = step_of(first, 0);
    held.hold = true;
    later = step_of(second, 1);
    later.same = 0;
    list.push_back({"", {held, later}});
  }

  std::string position(LocId location) const {
    if (location.is_none()) return "";
    return std::string(support::place_of(names_.locations.name(location.v)).position);
  }

  Step step_of(const Access& access, std::size_t role) const {
    return {role, kind_of(access.kind), position(access.place), position(access.gate), std::nullopt,
            false};
  }

  const Names& names_;
  std::size_t most_;
  ThreadOrder order_;
  std::map<ThreadId, std::vector<std::pair<LockId, LocId>>> held_;
  std::map<VarId, std::vector<Access>> seen_;
  std::set<std::tuple<LocId, Kind, LocId, Kind>> known_;
  std::vector<Target> targets_, later_;
};

}  // namespace

std::vector<Target> reversed_pairs(const predict::LoadedTrace& trace, const Names& names,
                                   std::size_t most) {
  return Pairs(trace, names, most).targets();
}

}  // namespace omnium::hunt
