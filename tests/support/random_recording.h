// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Small random programs for prediction: a list of transactions per thread, locks nested inside
// them, run once in a random interleaving.
#pragma once

#include <cstdint>

#include "tests/support/figure.h"

namespace omnium::test {

struct RecordingShape {
  std::uint32_t threads = 2;
  std::uint32_t transactions = 1;  // per thread, at most
  std::uint32_t operations = 10;  // accesses, lock operations, forks and joins of the whole program
  std::uint32_t variables = 2;
  std::uint32_t locks = 2;
  bool outside = false;        // accesses outside transactions
  bool outside_locks = false;  // locks taken outside transactions, too
  bool ordered_locks = true;   // locks are nested in one order only: no deadlock
  bool fork_join = false;
  bool unnested = false;  // some releases come later than nested order has them
};

// The same seed gives the same trace. A program that deadlocks in its random run is run again, a
// few times; at last its threads run one after the other.
Trace random_recording(std::uint64_t seed, const RecordingShape& shape);

// A shape drawn from the seed.
RecordingShape random_recording_shape(std::uint64_t seed);

}  // namespace omnium::test
