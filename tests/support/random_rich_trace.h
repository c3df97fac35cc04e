// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Small random well-formed traces with the richer operations of docs/semantics.md: atomic accesses
// and failed attempts, shared locks, waits, signals, tries that failed; besides all that
// random_trace.h has.
#pragma once

#include <cstdint>

#include "tests/support/figure.h"

namespace omnium::test {

struct RichShape {
  std::uint32_t most_threads = 4;  // at least 2
  std::uint32_t fewest_events = 6;
  std::uint32_t more_events = 30;  // up to so many more, exclusive
};

// The same seed gives the same trace, everywhere.
Trace random_rich_trace(std::uint64_t seed, const RichShape& shape = {});

}  // namespace omnium::test
