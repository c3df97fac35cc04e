// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "model/counterexample.h"

#include <fmt/format.h>

namespace omnium::model {

MemoryTrace to_trace(const Model& model, const std::vector<RunEvent>& run) {
  MemoryTrace trace;
  for (const Instance& thread : model.threads) trace.names.threads.append(thread.name);
  for (const std::string& name : model.cell_names) trace.names.variables.append(name);
  for (const std::string& name : model.lock_names) trace.names.locks.append(name);
  for (const std::string& name : model.channel_names) trace.names.signals.append(name);
  for (const std::string& name : model.labels) trace.names.labels.append(name);
  for (const RunEvent& event : run) {
    const std::uint32_t place = trace.names.locations.intern(
        fmt::format("{}:{}:{}", model.file, event.at.line, event.at.column));
    trace.events.push_back(
        {event.kind, static_cast<std::uint16_t>(event.thread), event.object, place});
  }
  return trace;
}

}  // namespace omnium::model
