// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The interleaving as a table, one column per thread.
#pragma once

#include <string>

#include "report/report.h"
#include "report/text.h"

namespace omnium::report {

// Lines of the table, each with its end.
std::string render_columns(const Picture& picture, const TextStyle& style);

}  // namespace omnium::report
