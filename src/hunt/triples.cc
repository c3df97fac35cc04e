// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "hunt/triples.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "hunt/thread_order.h"
#include "support/place.h"

namespace omnium::hunt {

namespace {

struct HeldLock {
  LockId lock;
  LocId place;  // where it was taken
  EventIndex when;

  friend bool operator==(const HeldLock&, const HeldLock&) = default;
};

struct Access {
  ThreadOrder::Moment moment;
  Kind kind = Kind::kRead;
  LocId place;
  std::vector<HeldLock> held;
};

struct Pair {  // of one thread
  Access first, second;
};

bool is_unserializable(Kind first, Kind between, Kind second) {
  const bool w1 = is_write(first), w = is_write(between), w2 = is_write(second);
  return w ? !(w1 && w2) : w1 && w2;
}

// Locks that the thread kept from the first access to the second.
std::vector<LockId> kept(const Pair& pair) {
  std::vector<LockId> out;
  for (const HeldLock& held : pair.first.held) {
    if (std::ranges::find(pair.second.held, held) != pair.second.held.end()) {
      out.push_back(held.lock);
    }
  }
  return out;
}

bool holds_one_of(const Access& access, const std::vector<LockId>& locks) {
  return std::ranges::any_of(access.held, [&](const HeldLock& held) {
    return std::ranges::find(locks, held.lock) != locks.end();
  });
}

// Where the first lock was taken that the thread holds; `since`: and did not hold at that access.
LocId gate_of(const Access& access, const Access* since = nullptr) {
  for (const HeldLock& held : access.held) {
    if (since == nullptr || std::ranges::find(since->held, held) == since->held.end()) {
      return held.place;
    }
  }
  return LocId::none();
}

class Triples {
 public:
  Triples(const predict::LoadedTrace& trace, const Names& names)
      : names_(names), order_(trace.events) {
    for (EventIndex i = 0; i < trace.events.size(); ++i) take(trace.events[i], i);
  }

  std::vector<Target> targets(std::size_t most) {
    for (const auto& [variable, uses] : uses_) {
      for (const Pair& pair : uses.pairs) {
        if (uses.latest.size() > 1) consider_twins(pair);
        for (const Access& other : uses.accesses) consider(pair, other);
      }
    }
    std::ranges::stable_sort(found_, {}, &Found::distance);
    std::vector<Target> out;
    for (Found& found : found_) {
      if (out.size() == most) break;
      out.push_back(std::move(found.target));
    }
    return out;
  }

 private:
  static constexpr std::size_t kMostPairs = 24, kMostAccesses = 24;  // of a variable
  static constexpr std::size_t kMostFound = 20'000;

  struct Uses {
    std::vector<Pair> pairs;
    std::vector<Access> accesses;
    std::map<ThreadId, Access> latest;
  };
  struct Found {
    EventIndex distance = 0;
    Target target;
  };

  void take(const Event& event, EventIndex at) {
    auto& held = held_[event.thread()];
    if (event.kind == Kind::kAcquire || event.kind == Kind::kSharedAcquire) {
      held.push_back({event.lock(), event.loc(), at});
    } else if (gives_lock_back(event.kind)) {
      std::erase_if(held, [&](const HeldLock& one) { return one.lock == event.lock(); });
    } else if (is_access(event.kind) && !event.loc().is_none()) {
      use({{event.thread(), at}, event.kind, event.loc(), held}, uses_[event.variable()]);
    }
  }

  static void use(Access access, Uses& uses) {
    const auto same = [](const Access& a, const Access& b) {
      return a.place == b.place && a.kind == b.kind;
    };
    const auto entry = uses.latest.try_emplace(access.moment.thread, access);
    if (!entry.second) {
      Access& latest = entry.first->second;
      const bool known = std::ranges::any_of(uses.pairs, [&](const Pair& pair) {
        return same(pair.first, latest) && same(pair.second, access);
      });
      if (!known && uses.pairs.size() < kMostPairs) uses.pairs.push_back({latest, access});
      latest = access;
    }
    const bool known = std::ranges::any_of(uses.accesses, [&](const Access& other) {
      return other.moment.thread == access.moment.thread && same(other, access);
    });
    if (!known && uses.accesses.size() < kMostAccesses) uses.accesses.push_back(std::move(access));
  }

  void consider(const Pair& pair, const Access& other) {
    const Access &first = pair.first, &second = pair.second;
    if (other.moment.thread == first.moment.thread || found_.size() == kMostFound) return;
    if (!is_unserializable(first.kind, other.kind, second.kind)) return;
    if (holds_one_of(other, kept(pair))) return;
    if (order_.is_fixed(other.moment, first.moment) || order_.is_fixed(other.moment, second.moment))
      return;
    if (!known_
             .insert({first.place, first.kind, other.place, other.kind, second.place, second.kind})
             .second) {
      return;
    }
    Step between = step_of(other, 1, gate_of(other));
    Step last = step_of(second, 0, gate_of(second, &first));
    between.same = last.same = 0;
    last.late = true;
    const Step start = step_of(first, 0, gate_of(first));
    found_.push_back({second.moment.at - first.moment.at, {"", {start, between, last}}});
  }

  // Two threads that do the same: whether they really run the same code is seen when it is tried.
  void consider_twins(const Pair& pair) {
    const Access &first = pair.first, &second = pair.second;
    if (!is_write(first.kind) && !is_write(second.kind)) return;
    if (!kept(pair).empty() || found_.size() == kMostFound) return;
    if (!twins_.insert({first.place, first.kind, second.place, second.kind}).second) return;
    std::vector<Step> steps;
    for (const std::size_t role : {0, 1}) steps.push_back(step_of(first, role, gate_of(first)));
    for (const std::size_t role : {0, 1}) {
      steps.push_back(step_of(second, role, gate_of(second, &first)));
    }
    for (std::size_t i = 1; i < steps.size(); ++i) steps[i].same = 0;
    found_.push_back({second.moment.at - first.moment.at, {"", std::move(steps)}});
  }

  std::string position(LocId location) const {
    if (location.is_none()) return "";
    return std::string(support::place_of(names_.locations.name(location.v)).position);
  }

  Step step_of(const Access& access, std::size_t role, LocId gate) const {
    return {role,           kind_of(access.kind), position(access.place),
            position(gate), std::nullopt,         false};
  }

  const Names& names_;
  ThreadOrder order_;
  std::map<ThreadId, std::vector<HeldLock>> held_;
  std::map<VarId, Uses> uses_;
  std::set<std::tuple<LocId, Kind, LocId, Kind, LocId, Kind>> known_;
  std::set<std::tuple<LocId, Kind, LocId, Kind>> twins_;
  std::vector<Found> found_;
};

}  // namespace

std::vector<Target> interleaved_triples(const predict::LoadedTrace& trace, const Names& names,
                                        std::size_t most) {
  return Triples(trace, names).targets(most);
}

}  // namespace omnium::hunt
