// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A run of a model as a trace: events with names and places, which every engine, writer and report
// takes like any other trace.
#pragma once

#include <span>
#include <vector>

#include "engines/checker.h"
#include "event/names.h"
#include "model/stepper.h"
#include "model/steps.h"

namespace omnium::model {

struct RunTrace {
  std::vector<Event> events;
  Names names;
};

RunTrace to_trace(const Model& model, const std::vector<RunEvent>& run);

// What the default engine says of the run; it must call it not serializable.
Result<CheckOutcome> explain(const RunTrace& run);

}  // namespace omnium::model
