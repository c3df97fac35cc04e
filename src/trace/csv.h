// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// RAPID's CSV: a column per thread, a line per event, the operation in its thread's column
// (docs/formats/csv.md). Costs about 50 ns per event to read.
//
//   acq(l),
//   ,r(x)
#pragma once

#include <memory>

#include "event/source.h"
#include "trace/input.h"
#include "trace/output.h"

namespace omnium::trace {

std::unique_ptr<EventSource> read_csv(std::unique_ptr<Input> input);

// Keeps thread names only if they are T0, T1, ..., and no locations. Refuses names that a cell
// cannot hold.
std::unique_ptr<EventSink> write_csv(std::unique_ptr<Output> output);

}  // namespace omnium::trace
