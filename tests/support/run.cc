// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/run.h"

#include <algorithm>

#include "engines/lowered_engine.h"

namespace omnium::test {

EngineRun run_engine(const EngineEntry& engine, std::span<const Event> events, const Extent& extent,
                     bool every_instance, std::size_t batch, CheckMode mode) {
  EngineRun run{Collector(every_instance), {}};
  LoweredEngine checker(engine, run.findings, mode, true);
  for (std::size_t at = 0; at < events.size(); at += batch) {
    checker.consume({events.subspan(at, std::min(batch, events.size() - at)), at, extent});
  }
  checker.finish();
  run.counters = checker.counters();
  return run;
}

}  // namespace omnium::test
