// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Chrome's trace format, which ui.perfetto.dev opens: a process per finding, a slice per
// transaction and event, a flow arrow per dependency. Time is the index of the event.
#pragma once

#include <span>

#include "report/report.h"
#include "support/byte_sink.h"

namespace omnium::report {

void render_perfetto(std::span<const Report> reports, support::ByteSink& out);

}  // namespace omnium::report
