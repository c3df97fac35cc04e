// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// One picture of all findings: what is broken, the cycle (cycle_drawing.h), and why each arrow is
// there.
#pragma once

#include <span>

#include "report/report.h"
#include "support/byte_sink.h"

namespace omnium::report {

void render_svg(std::span<const Report> reports, support::ByteSink& out);

}  // namespace omnium::report
