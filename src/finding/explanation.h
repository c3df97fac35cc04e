// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A second look at the trace, for what findings need to be told: the places of their events, the
// pattern, which findings have the same cause, and for each cause the events to draw.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "event/source.h"
#include "finding/finding.h"
#include "finding/noise.h"
#include "finding/pattern.h"

namespace omnium {

struct SeenEvent {
  EventIndex index = kNoEvent;
  Event event{};  // with its location
};

// Enough to draw one cycle.
struct Picture {
  std::vector<WitnessStep> steps;  // the cycle, from the block back to it
  std::vector<SeenEvent>
      rows;  // in order: the events of the steps, and lock operations around them
  EventIndex opens = kNoEvent;   // row where others got in
  EventIndex closes = kNoEvent;  // row where it was too late
  std::optional<LockId> held;    // a lock that was held at every access of the steps
};

// What is known of one violation.
struct ExplainedViolation {
  std::uint32_t cause = 0;  // index into Explanation::causes
  LocId begin;              // of the transaction; none where not known, as below
  LocId source;             // of the closing dependency
  LocId event;
};

// How a cause was seen: what happened in the window, and by whom.
struct Variant {
  Pattern pattern;
  std::vector<LabelId> partners;  // blocks of other threads, each label once; none: outside blocks
  std::uint64_t count = 0;        // violations
};

struct Cause {
  static constexpr std::size_t kMostVariants = 16;

  std::string id;                 // "av-7f3a12c9"
  std::size_t violation = 0;      // the one to show: of those with the shortest cycle, the first
  Pattern pattern;                // of that one
  bool about_data = false;        // its cycle is one of accesses alone
  bool stands_alone = false;      // as NotAtomic::stands_alone
  Noise noise = Noise::kNone;     // what all its violations look like
  std::optional<VarId> own_lock;  // a variable of that one that the program uses as a lock
  std::uint64_t count = 0;        // violations that have it
  LocId block;                    // where the blamed block begins
  std::set<LabelId> functions;    // that have it, if nobody declared blocks
  Picture picture;                // empty for those after ExplainOptions::pictures
  std::vector<Variant> variants;  // of all its violations, as far as there is room
};

struct Explanation {
  std::vector<ExplainedViolation> violations;  // in the order they were given
  std::vector<Cause> causes;                   // in order of their first violation
  Picture cycle;                               // of a cycle without a violating transaction
  bool read_again = true;                      // false: the trace could not be read a second time
};

struct ExplainOptions {
  std::size_t pictures = 100;  // causes to draw, and as many that look like noise
  bool by_function = false;    // a cause is a function, whatever its window (finding/cause.h)
};

// `source` has been read to its end. Never fails: what cannot be looked up is left out.
Explanation explain(EventSource& source, const std::vector<Violation>& violations,
                    const std::optional<Cycle>& cycle, const ExplainOptions& options);

}  // namespace omnium
