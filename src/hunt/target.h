// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A target of steering: the accesses that make a cycle, in the order in which they have to happen
// (docs/hunting.md). It is made from a finding, whether that was seen or predicted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hunt/places.h"
#include "report/report.h"

namespace omnium::hunt {

struct Step {
  enum class Kind { kRead, kWrite, kEither, kAcquire };
  std::size_t role = 0;  // which of the threads
  Kind kind = Kind::kRead;
  std::string access;               // position in the source; of kAcquire, where it takes a lock
  std::string gate;                 // where the thread takes a lock that it holds at the access
  std::optional<std::size_t> same;  // an earlier step that accesses the same memory
  bool late = false;                // it waits a moment longer, so that others get ahead
  bool hold = false;                // then its thread waits until no other one can go on
};

// As a step of a target.
Step::Kind kind_of(Kind kind);

struct Target {
  std::string cause;  // id; empty: none is expected
  std::vector<Step> steps;
};

// Nothing if the finding has no picture, or its cycle needs what cannot be steered.
std::optional<Target> target_of(const report::Cause& cause);

// The lines that the runtime reads (docs/formats/schedules.md). Nothing if an instruction is not
// known.
std::optional<std::string> to_text(const Target& target, const Places& places);

}  // namespace omnium::hunt
