// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The six name spaces of a trace by number, and which of them an event's object belongs to.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "event/event.h"
#include "event/names.h"

namespace omnium::trace {

// The numbers are part of the .omt format.
enum class NameSpace : std::uint8_t {
  kThreads,
  kVariables,
  kLocks,
  kLabels,
  kLocations,
  kSignals
};
inline constexpr std::size_t kNameSpaces = 6;

// One name may be all of a line, and no line is longer than this.
inline constexpr std::size_t kMaxNameBytes = std::size_t{64} << 20;
// Ids are 32 bits and the last value means "none".
inline constexpr std::uint32_t kMaxNames = 0xffff'ffff;

inline constexpr std::array<NameSpace, kKinds> kObjectSpace = {
    NameSpace::kVariables, NameSpace::kVariables, NameSpace::kLocks,     NameSpace::kLocks,
    NameSpace::kLabels,    NameSpace::kLabels,    NameSpace::kThreads,   NameSpace::kThreads,
    NameSpace::kVariables, NameSpace::kVariables, NameSpace::kVariables, NameSpace::kVariables,
    NameSpace::kLocks,     NameSpace::kLocks,     NameSpace::kLocks,     NameSpace::kLocks,
    NameSpace::kSignals,   NameSpace::kSignals,   NameSpace::kLocks};

constexpr NameSpace object_space(Kind kind) { return kObjectSpace[static_cast<std::size_t>(kind)]; }

constexpr std::string_view name_of(NameSpace space) {
  constexpr std::array<std::string_view, kNameSpaces> kWords = {"thread", "variable", "lock",
                                                                "label", "location", "signal"};
  return kWords[static_cast<std::size_t>(space)];
}

inline support::Interner& interner_of(Names& names, NameSpace space) {
  switch (space) {
    case NameSpace::kThreads: return names.threads;
    case NameSpace::kVariables: return names.variables;
    case NameSpace::kLocks: return names.locks;
    case NameSpace::kLabels: return names.labels;
    case NameSpace::kSignals: return names.signals;
    case NameSpace::kLocations: break;
  }
  return names.locations;
}

inline const support::Interner& interner_of(const Names& names, NameSpace space) {
  return interner_of(const_cast<Names&>(names), space);
}

constexpr std::uint32_t max_names(NameSpace space) {
  return space == NameSpace::kThreads ? kMaxThreads : kMaxNames;
}

}  // namespace omnium::trace
