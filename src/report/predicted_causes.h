// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Warnings of a prediction as findings: the interleaving of each is checked like a trace, and what
// is said of the warned transaction there has the id, the pattern and the picture that
// `omnium check` would give it if it happened. Warnings with the same cause become one.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <vector>

#include "predict/predict.h"
#include "report/report.h"

namespace omnium::report {

struct PredictedCauses {
  std::vector<Cause> causes;     // the surest first, of those the shortest cycles
  std::vector<std::string> ids;  // of the cause of each warning
  std::deque<Names> names;       // those that the causes are views of
};

// At most `pictures` causes are drawn. `names` must outlive the result.
PredictedCauses predicted_causes(std::span<const predict::Warning> warnings,
                                 const predict::LoadedTrace& trace, const Names& names, Waits waits,
                                 std::size_t pictures);

}  // namespace omnium::report
