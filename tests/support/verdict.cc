// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/verdict.h"

#include <gtest/gtest.h>

#include "support/check.h"
#include "tests/support/reference.h"

namespace omnium::test {

void expect_verdict(const Trace& trace, bool serializable) {
  EXPECT_EQ(Reference(trace.events).verdict().serializable, serializable) << "the reference\n"
                                                                          << to_std(trace);
  for (const EngineEntry& engine : engines_and_variants()) {
    if (engine.info.serializable != Promise::kExact) continue;
    const EngineRun run = run_engine(engine, trace.events, trace.names.extent(), false);
    EXPECT_EQ(run.findings.serializable(), serializable) << engine.info.name << "\n"
                                                         << to_std(trace);
  }
}

Trace prefix(Trace trace, std::size_t events) {
  CHECK(events <= trace.events.size());
  trace.events.resize(events);
  return trace;
}

EngineRun run_named(std::string_view engine, const Trace& trace) {
  const EngineEntry* entry = find_engine(engine);
  CHECK(entry != nullptr);
  return run_engine(*entry, trace.events, trace.names.extent(), false);
}

}  // namespace omnium::test
