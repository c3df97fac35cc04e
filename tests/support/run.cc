// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/run.h"

#include <algorithm>

#include "event/well_formed.h"
#include "support/check.h"

namespace omnium::test {

EngineRun run_engine(const EngineEntry& engine, std::span<const Event> events, const Extent& extent,
                     bool every_instance, std::size_t batch) {
  EngineRun run{Collector(every_instance), {}};
  const auto checker = engine.make(run.findings);
  for (std::size_t at = 0; at < events.size(); at += batch) {
    checker->consume({events.subspan(at, std::min(batch, events.size() - at)), at, extent});
  }
  checker->finish();
  run.counters = checker->counters();
  return run;
}

EngineRun run_engine_checked(const EngineEntry& engine, std::vector<Event> events,
                             const Extent& extent, bool every_instance, std::size_t batch) {
  EngineRun run{Collector(every_instance), {}};
  const auto checker = engine.make(run.findings);
  WellFormed well_formed;
  for (std::size_t at = 0; at < events.size(); at += batch) {
    const auto next = std::span(events).subspan(at, std::min(batch, events.size() - at));
    CHECK(checker->consume_checked(next, at, extent, well_formed) == next.size());
  }
  checker->finish();
  run.counters = checker->counters();
  return run;
}

}  // namespace omnium::test
