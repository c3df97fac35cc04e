// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The error graphs (dot.h) as a picture; graphviz lays them out.
#pragma once

#include <span>

#include "report/report.h"
#include "support/byte_sink.h"
#include "support/error.h"

namespace omnium::report {

Result<void> render_svg(std::span<const Report> reports, support::ByteSink& out);

}  // namespace omnium::report
