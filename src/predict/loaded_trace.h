// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A whole trace in memory, 12 bytes per event: prediction looks at it from several sides, and a
// witness is a new order of all of it.
#pragma once

#include <utility>
#include <vector>

#include "event/source.h"
#include "spec/specification.h"

namespace omnium::predict {

struct LoadedTrace {
  std::vector<Event> events;                         // as engines see them: some are kSkip
  std::vector<std::pair<EventIndex, Kind>> skipped;  // what those were, in order
  Extent extent;
  bool undeclared = false;  // its blocks are functions that nobody declared atomic
  std::vector<LockId> tried_locks;  // by signal
  std::vector<SignalId> follows;    // by signal

  // The event as it was read.
  Event original(EventIndex index) const;
};

// By signal: the lock that it says is tried, if its name does (event/names.h).
std::vector<LockId> tried_locks(const Names& names);

// By signal: the one that it comes after, in every interleaving, if its name says so.
std::vector<SignalId> followed_signals(const Names& names);

// Reads, checks and filters the trace; an error of the input, or malformed.
Result<LoadedTrace> load_trace(EventSource& source, const Specification* specification);

}  // namespace omnium::predict
