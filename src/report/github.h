// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Annotations of GitHub Actions: a line per finding that shows up beside the source line.
#pragma once

#include <span>
#include <string_view>

#include "report/report.h"
#include "support/byte_sink.h"

namespace omnium::report {

// Files below `source_root` (an absolute path, or empty) are named relative to it.
void render_github(std::span<const Report> reports, std::string_view source_root,
                   support::ByteSink& out);

}  // namespace omnium::report
