// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// SARIF 2.1.0, for code scanning: a result per cause, its cycle as a code flow with a thread flow
// per thread.
#pragma once

#include <span>

#include "report/report.h"
#include "support/byte_sink.h"

namespace omnium::report {

// Files below `source_root` (an absolute path, or empty) are named relative to it.
void render_sarif(std::span<const Report> reports, std::string_view source_root,
                  support::ByteSink& out);

}  // namespace omnium::report
