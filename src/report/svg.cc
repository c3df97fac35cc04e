// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/svg.h"

#include "report/dot.h"
#include "support/child_process.h"

namespace omnium::report {

namespace {

constexpr std::size_t kMostGraphs = 200;  // graphviz takes seconds for 500 and minutes for 5000

}  // namespace

Result<void> render_svg(std::span<const Report> reports, support::ByteSink& out) {
  support::StringSink graph;
  render_dot(reports, kMostGraphs, graph);
  auto picture = support::filtered({"dot", "-Tsvg"}, graph.text());
  if (!picture) {
    picture.error().message += " (SVG needs graphviz; -f dot does not)";
    return tl::unexpected(picture.error());
  }
  out.write(*picture);
  return {};
}

}  // namespace omnium::report
