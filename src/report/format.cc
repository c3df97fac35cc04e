// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/format.h"

#include "report/dot.h"
#include "report/github.h"
#include "report/html.h"
#include "report/json.h"
#include "report/junit.h"
#include "report/perfetto.h"
#include "report/sarif.h"
#include "report/svg.h"

namespace omnium::report {

namespace {

using Reports = std::span<const Report>;
using support::ByteSink;

Result<void> text(Reports reports, const RenderOptions& options, ByteSink& out) {
  for (const Report& report : reports) {
    std::vector<Snippet> snippets;
    if (options.source) snippets = snippets_of({&report, 1});
    TextStyle style = options.text;
    style.snippets = snippets;
    render_text(report, style, out);
  }
  return {};
}

Result<void> json(Reports reports, const RenderOptions&, ByteSink& out) {
  for (const Report& report : reports) render_json(report, out);
  return {};
}

Result<void> html(Reports reports, const RenderOptions&, ByteSink& out) {
  render_html(reports, snippets_of(reports), out);
  return {};
}

Result<void> sarif(Reports reports, const RenderOptions& options, ByteSink& out) {
  render_sarif(reports, options.source_root, out);
  return {};
}

Result<void> github(Reports reports, const RenderOptions& options, ByteSink& out) {
  render_github(reports, options.source_root, out);
  return {};
}

Result<void> svg(Reports reports, const RenderOptions&, ByteSink& out) {
  return render_svg(reports, out);
}

// Formats without options.
template <void (*render)(Reports, ByteSink&)>
Result<void> plain(Reports reports, const RenderOptions&, ByteSink& out) {
  render(reports, out);
  return {};
}

constexpr std::size_t kForPeople = 100, kForMachines = 10'000;

constexpr Format kFormats[] = {
    {"text", true, kForPeople, text},
    {"json", true, kForMachines, json},
    {"html", false, kForMachines, html},
    {"sarif", false, kForMachines, sarif},
    {"junit", false, kForPeople, plain<render_junit>},
    {"github", false, kForPeople, github},
    {"dot", false, kForPeople, plain<render_dot>},
    {"svg", false, kForPeople, svg},
    {"perfetto", false, kForPeople, plain<render_perfetto>},
};

}  // namespace

std::span<const Format> all_formats() { return kFormats; }

const Format* find_format(std::string_view name) {
  for (const Format& format : kFormats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

std::string format_names() {
  std::string out;
  for (const Format& format : kFormats) {
    if (!out.empty()) out += ", ";
    out += format.name;
  }
  return out;
}

}  // namespace omnium::report
