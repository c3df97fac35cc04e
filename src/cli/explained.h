// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Events in memory, checked and explained like any trace.
#pragma once

#include <span>
#include <string>

#include "event/names.h"
#include "report/report.h"
#include "support/error.h"

namespace omnium::cli {

// By the default engine. `names` must outlive the report.
Result<report::Report> explained(std::span<const Event> events, const Names& names,
                                 std::string path);

}  // namespace omnium::cli
