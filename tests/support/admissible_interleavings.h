// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Every admissible interleaving of a small trace with the operations of docs/semantics.md, and what
// it violates: "Prediction" word for word, without cleverness. For traces of about ten events.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "event/check_mode.h"
#include "finding/finding.h"
#include "predict/predict.h"

namespace omnium::test {

struct GradedTrace {
  // Of the best interleaving that is not serializable; kUndecided: there is none.
  predict::Grade best = predict::Grade::kUndecided;
  // Of each outermost block with a violated part, by its begin.
  std::map<EventIndex, predict::Grade> blocks;
};

// The grade that an interleaving has if it is not serializable; kUndecided: it is not even
// speculative, because the threads could not run like this whatever they read.
predict::Grade grade_of_interleaving(std::span<const Event> events,
                                     std::span<const EventIndex> order);

GradedTrace grade_by_definition(std::span<const Event> events, CheckMode mode);

}  // namespace omnium::test
