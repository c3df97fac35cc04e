// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Small random well-formed traces with everything that docs/semantics.md allows: nested blocks,
// re-entrant locks, forks and joins, events outside blocks, blocks left open at the end.
#pragma once

#include <cstdint>

#include "tests/support/figure.h"

namespace omnium::test {

struct Shape {
  std::uint32_t events = 24;
  std::uint32_t threads = 3;
  std::uint32_t variables = 3;
  std::uint32_t locks = 2;
  bool nested = true;
  bool fork_join = true;
  std::uint32_t outside_percent = 30;  // how often a thread acts outside any block
};

// The same seed gives the same trace, everywhere.
Trace random_trace(std::uint64_t seed, const Shape& shape);

// The same as a file would have it: the inner operations of re-entrant locks are still events.
Trace unchecked_random_trace(std::uint64_t seed, const Shape& shape);

// A shape drawn from the seed: 2 to 6 threads, 6 to 60 events, few or many variables and locks.
Shape random_shape(std::uint64_t seed);

}  // namespace omnium::test
