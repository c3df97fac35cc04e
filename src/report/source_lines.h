// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The source lines of a picture, as text: where its sentences happened, and a little around that.
#pragma once

#include <string>

#include "report/report.h"
#include "report/text.h"

namespace omnium::report {

// Empty where no line is known; `style.snippets` are the lines that could be read.
std::string render_source_lines(const Picture& picture, const TextStyle& style);

}  // namespace omnium::report
