// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// From a trace to the report's model: check it, look a second time where findings point to, resolve
// names and put everything in order.
#pragma once

#include <string>

#include "engines/checker.h"
#include "event/source.h"
#include "finding/explanation.h"
#include "report/report.h"

namespace omnium::report {

// All of it. An error of the input, or malformed. The names of `source` must outlive the report.
Result<Report> check_and_report(EventSource& source, std::string path, const EngineEntry& engine,
                                const CheckOptions& check, const ExplainOptions& options = {});

// The second half, for what `engine` said of the trace.
Report report_outcome(EventSource& source, std::string path, const EngineEntry& engine,
                      const CheckOutcome& outcome, ExplainOptions options = {});

}  // namespace omnium::report
