// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A recorded trace as a model: each thread does in its order what it did, and the runs of the model
// are all interleavings that locks, forks and joins allow. Values are left out, so a model may have
// runs that the program does not have.
#pragma once

#include <string>

#include "event/source.h"
#include "support/error.h"

namespace omnium::model {

// The text of an .omp file. `title` goes into its first line. An error if the trace cannot be read
// or is malformed. Memory grows with the trace.
Result<std::string> model_from_trace(EventSource& source, const std::string& title);

}  // namespace omnium::model
