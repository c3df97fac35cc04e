// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What `omnium info` prints about a trace.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "cli/progress.h"
#include "event/source.h"
#include "event/well_formed.h"
#include "finding/finding.h"

namespace omnium::cli {

struct LongestTransaction {
  BlockRef block;
  std::uint64_t events = 0;  // of its own thread, begin and end included; 0: there is no block
  LocId location;
};

struct TraceFacts {
  std::string format;  // by the file's name; may be empty
  TraceCounts counts;
  std::array<std::uint64_t, kKinds> kinds{};
  std::uint64_t depth = 0;
  std::uint64_t open_blocks = 0;
  LongestTransaction longest;
  std::vector<std::string> warnings;
};

// Reads all of `source`; malformed traces are errors.
Result<TraceFacts> facts_of(EventSource& source, const std::string& path, const Meter& meter);

}  // namespace omnium::cli
