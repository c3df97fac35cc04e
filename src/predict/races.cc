// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/races.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace omnium::predict {

namespace {

// The locks that keep others away from what conflicts with the access: a write needs the exclusive
// side.
std::vector<LockId> keeping_away(const Forest& forest, const Access& access) {
  std::vector<LockId> locks;
  for (const HeldLock held : forest.paths.locks(access.path)) {
    if (!access.write || !is_shared(held)) locks.push_back(lock_of(held));
  }
  return locks;
}

}  // namespace

Races::Races(const Forest& forest, const ThreadPeriods& periods, const InterEdges& edges)
    : forest_(forest), periods_(periods), edges_(edges) {
  variables_.resize(edges.classes().by_variable().size());
  for (std::uint32_t u = 0; u < forest.units.size(); ++u) {
    const auto& accesses = forest.tree_of(forest.units[u]).accesses;
    for (std::size_t a = 0; a < accesses.size(); ++a) {
      Variable& x = variables_[accesses[a].variable.v];
      const auto held = keeping_away(forest, accesses[a]);
      if (racy(x)) continue;
      edges.for_each_partner(UnitId{u}, a, false, [&](const ClassEdge&, const Occurrence&) {
        x.contended = true;
        return false;
      });
      if (ordered(UnitId{u}, a)) continue;
      if (!x.overlapping) {
        x.candidates.assign(held.begin(), held.end());
        x.overlapping = true;
      } else {
        std::erase_if(x.candidates, [&](LockId lock) {
          return std::find(held.begin(), held.end(), lock) == held.end();
        });
      }
    }
  }
}

bool Races::ordered(UnitId id, std::size_t index) const {
  const Unit& unit = forest_.units[id.v];
  const Access& access = forest_.tree_of(unit).accesses[index];
  for (const ClassId other : edges_.classes().by_variable()[access.variable.v]) {
    for (const Occurrence& there : edges_.classes()[other].occurrences) {
      if (periods_.concurrent(unit.thread(), unit.period + access.period, there.thread,
                              there.period)) {
        return false;
      }
    }
  }
  return true;
}

bool Races::racy(const Variable& x) const {
  return x.contended && x.overlapping && x.candidates.empty();
}

bool Races::race_free(UnitId unit, std::size_t access) const {
  const VarId x = forest_.tree_of(forest_.units[unit.v]).accesses[access].variable;
  return !racy(variables_[x.v]) || ordered(unit, access);
}

std::uint64_t Races::racy_variables() const {
  return static_cast<std::uint64_t>(std::count_if(variables_.begin(), variables_.end(),
                                                  [&](const Variable& x) { return racy(x); }));
}

std::uint64_t Races::lock_set_sizes() const {
  std::uint64_t sum = 0;
  for (const Variable& x : variables_) sum += x.candidates.size();
  return sum;
}

namespace {

// The first access of that class in the unit.
EventIndex event_of(const Forest& forest, const AccessClasses& classes, UnitId id, ClassId wanted) {
  const Unit& unit = forest.units[id.v];
  const auto& accesses = forest.tree_of(unit).accesses;
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    if (classes.of(unit.tree, i) == wanted) return unit.events[accesses[i].token];
  }
  return kNoEvent;
}

bool is_plain(const Event& event) {
  return event.kind == Kind::kRead || event.kind == Kind::kWrite;
}

}  // namespace

std::vector<RacingAccesses> find_races(const Forest& forest, const InterEdges& edges,
                                       std::span<const Event> events) {
  std::vector<RacingAccesses> found;
  using Place = std::pair<Kind, std::uint32_t>;
  std::set<std::tuple<VarId, Place, Place>> seen;
  const auto place = [&](EventIndex event) {
    return Place{events[event].kind, events[event].loc().v};
  };
  const auto add = [&](VarId variable, EventIndex a, EventIndex b) {
    if (!is_plain(events[a]) && !is_plain(events[b])) return;
    const auto [first, second] = std::minmax(a, b);
    const auto [low, high] = std::minmax({place(a), place(b)});  // copies
    if (seen.emplace(variable, low, high).second) found.push_back({variable, first, second});
  };
  for (std::uint32_t u = 0; u < forest.units.size(); ++u) {
    const Unit& unit = forest.units[u];
    const auto& accesses = forest.tree_of(unit).accesses;
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      const EventIndex mine = unit.events[accesses[i].token];
      edges.for_each_partner(UnitId{u}, i, false, [&](const ClassEdge& edge, const Occurrence& at) {
        if (edge.depth != kNoBlock) return true;
        const EventIndex other = event_of(forest, edges.classes(), at.first, edge.other);
        if (other != kNoEvent) add(accesses[i].variable, mine, other);
        return true;
      });
    }
  }
  std::ranges::sort(found, {}, [](const RacingAccesses& it) {
    return std::pair(it.first, it.second);
  });
  return found;
}

}  // namespace omnium::predict
