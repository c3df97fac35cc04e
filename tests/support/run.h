// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Runs one engine over events in memory.
#pragma once

#include <span>
#include <vector>

#include "engines/registry.h"
#include "finding/collector.h"

namespace omnium::test {

struct EngineRun {
  Collector findings;
  std::vector<Counter> counters;
};

// `batch` events at a time, to show that batches do not matter. Failed attempts are tracked.
EngineRun run_engine(const EngineEntry& engine, std::span<const Event> events, const Extent& extent,
                     bool every_instance, std::size_t batch = 7, CheckMode mode = kAsPublished);

// The same as `omnium check` does it: the engine has events checked one by one on their way. They
// have to be well-formed.
EngineRun run_engine_checked(const EngineEntry& engine, std::vector<Event> events,
                             const Extent& extent, bool every_instance, std::size_t batch = 7,
                             CheckMode mode = kAsPublished);

}  // namespace omnium::test
