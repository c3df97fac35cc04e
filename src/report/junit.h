// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// JUnit XML, for test dashboards: a suite per trace, a failed case per cause.
#pragma once

#include <span>

#include "report/report.h"
#include "support/byte_sink.h"

namespace omnium::report {

void render_junit(std::span<const Report> reports, support::ByteSink& out);

}  // namespace omnium::report
