// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Markdown for the summary of a CI job: a verdict, a table of causes, and the text report of each,
// folded.
#pragma once

#include <span>
#include <string_view>

#include "report/report.h"
#include "support/byte_sink.h"

namespace omnium::report {

// Files below `source_root` (an absolute path, or empty) are named relative to it.
void render_markdown(std::span<const Report> reports, std::string_view source_root,
                     support::ByteSink& out);

}  // namespace omnium::report
