// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What documents for machines list: each cause once, over all reports.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/report.h"

namespace omnium::report {

struct Finding {
  const Cause* cause;
  std::vector<const Report*> reports;  // that have it; the first one tells it
  std::uint64_t count = 0;             // over all of them
  bool no_blame = false;               // a cycle without a violating transaction
};

// In order of appearance.
std::vector<Finding> findings_of(std::span<const Report> reports);

// Not serializable, and no finding says where: the engine does not, or the program ended before it
// did.
bool without_findings(const Report& report);

// "transfer was not atomic (lost update on account.balance): deposit interfered", or
// "transfer could be interrupted by deposit (lost update on account.balance); certain"
std::string message(const Finding& finding);
// "run.std: not serializable (engine aerodrome does not say where)"
std::string message(const Report& report);

// The rows of the picture; the events of its sentences if the trace was not read again.
std::vector<Row> rows_of(const Picture& picture);

// Does the report have the cause or cycle with this id?
bool has_cause(const Report& report, std::string_view id);

// Leaves in the report only the causes with these ids, the cycle too, and their violations.
void keep_causes(Report& report, std::span<const std::string> ids);

// The block that the report is about, if it has a name.
std::optional<std::string_view> label_of(const Block& block);

}  // namespace omnium::report
