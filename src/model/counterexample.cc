// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "model/counterexample.h"

#include <algorithm>

#include <fmt/format.h>

namespace omnium::model {

RunTrace to_trace(const Model& model, const std::vector<RunEvent>& run) {
  RunTrace trace;
  for (const Instance& thread : model.threads) trace.names.threads.append(thread.name);
  for (const std::string& name : model.cell_names) trace.names.variables.append(name);
  for (const std::string& name : model.lock_names) trace.names.locks.append(name);
  for (const std::string& name : model.labels) trace.names.labels.append(name);
  for (const RunEvent& event : run) {
    const std::uint32_t place = trace.names.locations.intern(
        fmt::format("{}:{}:{}", model.file, event.at.line, event.at.column));
    trace.events.push_back(
        {event.kind, static_cast<std::uint16_t>(event.thread), event.object, place});
  }
  return trace;
}

Result<std::size_t> RunSource::read(std::span<Event> out) {
  const std::size_t count = std::min(out.size(), run_.events.size() - next_);
  std::copy_n(run_.events.begin() + static_cast<std::ptrdiff_t>(next_), count, out.begin());
  batch_ = next_;
  next_ += count;
  return count;
}

Position RunSource::position_of(std::size_t offset) const {
  const Event& event = run_.events[batch_ + offset];
  return {std::string(run_.names.locations.name(event.loc_id))};
}

Result<EventIndex> RunSource::seek(EventIndex target) {
  next_ = target;
  return target;
}

Result<CheckOutcome> explain(const RunTrace& run) {
  RunSource source(run);
  return check_trace(source, *find_engine(kDefaultEngine), {});
}

}  // namespace omnium::model
