// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A run of a model as a trace: events with names and places, which every engine, writer and report
// takes like any other trace.
#pragma once

#include <vector>

#include "event/memory_trace.h"
#include "model/stepper.h"
#include "model/steps.h"

namespace omnium::model {

MemoryTrace to_trace(const Model& model, const std::vector<RunEvent>& run);

}  // namespace omnium::model
