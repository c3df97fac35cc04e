// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/run.h"

#include <algorithm>

#include "engines/lowered_engine.h"
#include "event/well_formed.h"
#include "support/check.h"

namespace omnium::test {

namespace {

// Calls feed(engine, events, index of the first) for each batch.
template <class AnyEvent, class Feed>
EngineRun run_in_batches(const EngineEntry& engine, std::span<AnyEvent> events, bool every_instance,
                         std::size_t batch, CheckMode mode, Feed&& feed) {
  EngineRun run{Collector(every_instance ? Collector::Wants::kEveryInstance
                                         : Collector::Wants::kFirstInstances),
                {}};
  LoweredEngine checker(engine, run.findings, mode, true);
  for (std::size_t at = 0; at < events.size(); at += batch) {
    feed(checker, events.subspan(at, std::min(batch, events.size() - at)), at);
  }
  checker.finish();
  run.counters = checker.counters();
  return run;
}

}  // namespace

EngineRun run_engine(const EngineEntry& engine, std::span<const Event> events, const Extent& extent,
                     bool every_instance, std::size_t batch, CheckMode mode) {
  return run_in_batches(engine, events, every_instance, batch, mode,
                        [&](LoweredEngine& checker, std::span<const Event> some, EventIndex at) {
                          checker.consume({some, at, extent});
                        });
}

EngineRun run_engine_checked(const EngineEntry& engine, std::vector<Event> events,
                             const Extent& extent, bool every_instance, std::size_t batch,
                             CheckMode mode) {
  WellFormed well_formed;
  return run_in_batches(
      engine, std::span(events), every_instance, batch, mode,
      [&](LoweredEngine& checker, std::span<Event> some, EventIndex at) {
        CHECK(checker.consume_checked(some, at, extent, well_formed) == some.size());
      });
}

}  // namespace omnium::test
