// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What is said of a model: the answer, the exploration, a run with its explanation.
#pragma once

#include <optional>
#include <string>

#include "model/counterexample.h"
#include "model/outcome.h"
#include "report/report.h"

namespace omnium::report {

struct ModelReport {
  std::string path;
  const model::Outcome* outcome = nullptr;
  const model::Model* model = nullptr;
  CheckMode mode = kDefaultMode;
  const MemoryTrace* run = nullptr;       // to the violation or the error
  const MemoryTrace* deadlock = nullptr;  // to the deadlock; null if there is none
  std::optional<Report> finding;          // the violating run, explained like any trace
  bool stats = false;                     // text: say how much was explored
};

}  // namespace omnium::report
