// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/explained.h"

#include "engines/checker.h"
#include "event/memory_trace.h"
#include "finding/explanation.h"
#include "report/build.h"

namespace omnium::cli {

Result<report::Report> explained(std::span<const Event> events, const Names& names,
                                 std::string path) {
  MemorySource source(events, names);
  const EngineEntry& engine = *find_engine(kDefaultEngine);
  const auto outcome = check_trace(source, engine, {});
  if (!outcome) return tl::unexpected(outcome.error());
  const Explanation explanation = explain(source, outcome->violations, outcome->cycle, {});
  return report::build(std::move(path), engine.info, *outcome, explanation, names);
}

}  // namespace omnium::cli
