// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// From what an engine found to the report's model: resolves names, orders, and nothing else.
#pragma once

#include <string>

#include "engines/checker.h"
#include "event/names.h"
#include "finding/explanation.h"
#include "report/report.h"

namespace omnium::report {

// `names` must outlive the report.
Report build(std::string path, const EngineInfo& engine, const CheckOutcome& outcome,
             const Explanation& explanation, const Names& names);

}  // namespace omnium::report
