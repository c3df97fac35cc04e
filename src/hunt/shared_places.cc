// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "hunt/shared_places.h"

#include <map>

#include "support/place.h"

namespace omnium::hunt {

namespace {

struct Uses {
  ThreadId first;
  bool by_others = false, writes = false;
  std::set<LocId> places;
};

}  // namespace

std::set<Code> shared_places(const predict::LoadedTrace& trace, const Names& names,
                             const Places& places) {
  std::map<VarId, Uses> variables;
  for (const Event& event : trace.events) {
    if (!is_access(event.kind) || event.loc().is_none()) continue;
    Uses& uses = variables.try_emplace(event.variable(), Uses{event.thread(), false, false, {}})
                     .first->second;
    uses.by_others |= uses.first != event.thread();
    uses.writes |= is_write(event.kind);
    uses.places.insert(event.loc());
  }
  std::set<Code> out;
  for (const auto& [variable, uses] : variables) {
    if (!uses.by_others || !uses.writes) continue;
    for (const LocId place : uses.places) {
      const auto& codes = places.at(support::place_of(names.locations.name(place.v)).position);
      out.insert(codes.begin(), codes.end());
    }
  }
  return out;
}

}  // namespace omnium::hunt
