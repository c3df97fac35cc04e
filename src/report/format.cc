// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/format.h"

#include <algorithm>

#include "report/dot.h"
#include "report/github.h"
#include "report/html.h"
#include "report/json.h"
#include "report/junit.h"
#include "report/markdown.h"
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

Result<void> html(Reports reports, const RenderOptions& options, ByteSink& out) {
  render_html(reports, snippets_of(reports), options.editor, out);
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

Result<void> markdown(Reports reports, const RenderOptions& options, ByteSink& out) {
  render_markdown(reports, options.source_root, out);
  return {};
}

// Formats without options.
template <void (*render)(Reports, ByteSink&)>
Result<void> plain(Reports reports, const RenderOptions&, ByteSink& out) {
  render(reports, out);
  return {};
}

constexpr std::size_t kForPeople = 100, kForMachines = 10'000;

constexpr Format kFormats[] = {
    {"text", ".txt .log", true, kForPeople, text},
    {"json", ".json", true, kForMachines, json},
    {"html", ".html .htm", false, kForMachines, html},
    {"sarif", ".sarif", false, kForMachines, sarif},
    {"junit", ".xml", false, kForPeople, plain<render_junit>},
    {"github", "", false, kForPeople, github},
    {"markdown", ".md .markdown", false, kForPeople, markdown},
    {"dot", ".dot .gv", false, kForPeople, plain<render_dot>},
    {"svg", ".svg", false, kForPeople, plain<render_svg>},
    {"perfetto", ".perfetto", false, kForPeople, plain<render_perfetto>},
};

}  // namespace

std::span<const Format> all_formats() { return kFormats; }

const Format* find_format(std::string_view name) {
  for (const Format& format : kFormats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

const Format* format_of_file(std::string_view path) {
  std::string_view file = path.substr(path.rfind('/') + 1);
  // "result.sarif.json" is a usual name of SARIF.
  if (file.ends_with(".sarif.json")) file.remove_suffix(std::string_view(".json").size());
  const std::size_t dot = file.rfind('.');
  const std::string_view extension = dot == file.npos || dot == 0 ? ".txt" : file.substr(dot);
  for (const Format& format : kFormats) {
    for (std::string_view left = format.extensions; !left.empty();) {
      const std::string_view word = left.substr(0, left.find(' '));
      if (word == extension) return &format;
      left.remove_prefix(std::min(word.size() + 1, left.size()));
    }
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
