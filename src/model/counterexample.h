// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A run of a model as a trace: events with names and places, which every engine, writer and report
// takes like any other trace.
#pragma once

#include <span>
#include <vector>

#include "engines/checker.h"
#include "event/names.h"
#include "event/source.h"
#include "model/stepper.h"
#include "model/steps.h"

namespace omnium::model {

struct RunTrace {
  std::vector<Event> events;
  Names names;
};

RunTrace to_trace(const Model& model, const std::vector<RunEvent>& run);

// A run as a source of events. The run must outlive it.
class RunSource final : public EventSource {
 public:
  explicit RunSource(const RunTrace& run) : run_(run) {}

  Result<std::size_t> read(std::span<Event> out) override;
  const Names& names() const override { return run_.names; }
  Position position_of(std::size_t offset) const override;
  Result<EventIndex> seek(EventIndex target) override;
  void want_locations(bool) override {}

 private:
  const RunTrace& run_;
  std::size_t next_ = 0;
  std::size_t batch_ = 0;
};

// What the default engine says of the run; it must call it not serializable.
Result<CheckOutcome> explain(const RunTrace& run);

}  // namespace omnium::model
