// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/svg.h"

#include "report/dot.h"
#include "support/child_process.h"

namespace omnium::report {

Result<void> render_svg(std::span<const Report> reports, support::ByteSink& out) {
  support::StringSink graph;
  render_dot(reports, graph);
  auto picture = support::filtered({"dot", "-Tsvg"}, graph.text());
  if (!picture) {
    picture.error().message += " (SVG needs graphviz; -f dot does not)";
    return tl::unexpected(picture.error());
  }
  out.write(*picture);
  return {};
}

}  // namespace omnium::report
