// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A drawn or random trace as an EventSource.
#pragma once

#include "event/memory_source.h"
#include "tests/support/figure.h"

namespace omnium::test {

struct MemorySource : omnium::MemorySource {
  explicit MemorySource(const Trace& trace) : omnium::MemorySource(trace.events, trace.names) {}
};

}  // namespace omnium::test
