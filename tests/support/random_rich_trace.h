// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Small random well-formed traces with the richer operations of docs/semantics.md: atomic accesses
// and failed attempts, shared locks, waits, signals, tries that failed; besides all that
// random_trace.h has.
#pragma once

#include <cstdint>

#include "tests/support/figure.h"

namespace omnium::test {

// The same seed gives the same trace, everywhere.
Trace random_rich_trace(std::uint64_t seed);

}  // namespace omnium::test
