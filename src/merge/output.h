// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What was merged, as results.
#pragma once

#include <functional>

#include "merge/state.h"
#include "report/report.h"
#include "support/byte_sink.h"
#include "support/error.h"

namespace omnium::merge {

// Sees causes before they are written, some at a time, in a report that has nothing else.
using Mark = std::function<void(report::Report&)>;

// One result for each kind, and one for each cycle that blames nobody: a result has one at most.
// They never are in memory as a whole.
Result<void> write_json(const State& state, const Mark& mark, support::ByteSink& out);

}  // namespace omnium::merge
