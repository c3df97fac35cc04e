// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Explores every run of a model, breadth first, until one is not serializable.
//
// A state is the program's state with the monitor's, packed; a move of w events leads from level d
// to level d + w. A new state waits in a bucket until its level comes, so that every state is met
// first by a shortest run. Workers expand a level together, without locks because the visited set
// stands still; then each inserts the states of its own shards. Cost: one step, normal form,
// packing and hash per move; memory: the packed states and 8 bytes per slot, and what waits.
#pragma once

#include "model/outcome.h"
#include "model/steps.h"
#include "support/error.h"

namespace omnium::model {

// An error if the model is too large to be explored at all. The answer is the same for every number
// of workers, and so is the run.
Result<Outcome> explore(const Model& model, const Options& options);

}  // namespace omnium::model
