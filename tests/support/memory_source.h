// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A drawn trace as an EventSource.
#pragma once

#include "event/memory_source.h"
#include "tests/support/figure.h"

namespace omnium::test {

class MemorySource final : public omnium::MemorySource {
 public:
  explicit MemorySource(const Trace& trace) : omnium::MemorySource(trace.events, trace.names) {}
};

}  // namespace omnium::test
