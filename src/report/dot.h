// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Error graphs as in the Velodrome paper: a box per transaction, an edge per dependency, the one
// that closes the cycle dashed, the blamed block outlined. All findings make one graph.
#pragma once

#include <span>

#include "report/report.h"
#include "support/byte_sink.h"

namespace omnium::report {

void render_dot(std::span<const Report> reports, support::ByteSink& out);

}  // namespace omnium::report
