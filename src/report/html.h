// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// One page for a browser, with everything inside: the viewer (web/) and what it shows, as JSON.
#pragma once

#include <span>

#include "report/report.h"
#include "report/snippets.h"
#include "support/byte_sink.h"

namespace omnium::report {

void render_html(std::span<const Report> reports, std::span<const Snippet> snippets,
                 support::ByteSink& out);

}  // namespace omnium::report
