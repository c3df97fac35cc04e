// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The names of events: which table their object is in, and where they are in the source.
#pragma once

#include "event/names.h"
#include "support/place.h"

namespace omnium::report {

// Null for events without an object. `names` are Names, constant or not.
template <class AnyNames>
auto* objects_of(Kind kind, AnyNames& names) {
  switch (kind) {
    case Kind::kFork:
    case Kind::kJoin: return &names.threads;
    case Kind::kBegin:
    case Kind::kEnd: return &names.labels;
    case Kind::kSignal:
    case Kind::kAwait: return &names.signals;
    case Kind::kSkip: return static_cast<decltype(&names.threads)>(nullptr);
    default: return is_access(kind) ? &names.variables : &names.locks;
  }
}

// Empty for events without an object.
inline std::string_view object_name(const Event& event, const Names& names) {
  const auto* objects = objects_of(event.kind, names);
  return objects == nullptr ? std::string_view() : objects->name(event.object);
}

// "bank.cpp:44"; empty where not known. (The name of a location may say its function, too.)
inline std::string_view position(LocId location, const Names& names) {
  if (location.is_none()) return {};
  return support::place_of(names.locations.name(location.v)).position;
}

}  // namespace omnium::report
