// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A recorded trace as a model: each thread does in its order what it did, and the runs of the model
// are the admissible interleavings of the recording (docs/semantics.md#prediction). Values are left
// out, so plain reads may see other writes than they saw, as in what predictions call possible.
#pragma once

#include <string>

#include "event/source.h"
#include "spec/specification.h"
#include "support/error.h"

namespace omnium::model {

// The text of an .omp file. `title` goes into its first line. An error if the trace cannot be read
// or is malformed. Memory grows with the trace. Blocks that a specification does not call atomic
// are left out.
Result<std::string> model_from_trace(EventSource& source, const std::string& title,
                                     const Specification* specification = nullptr);

}  // namespace omnium::model
