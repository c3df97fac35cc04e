// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/format.h"

#include "report/html.h"
#include "report/json.h"

namespace omnium::report {

namespace {

using Reports = std::span<const Report>;
using support::ByteSink;

Result<void> text(Reports reports, const TextStyle& style, ByteSink& out) {
  for (const Report& report : reports) render_text(report, style, out);
  return {};
}

Result<void> json(Reports reports, const TextStyle&, ByteSink& out) {
  for (const Report& report : reports) render_json(report, out);
  return {};
}

Result<void> html(Reports reports, const TextStyle&, ByteSink& out) {
  render_html(reports, snippets_of(reports), out);
  return {};
}

constexpr std::size_t kForPeople = 100, kForMachines = 10'000;

constexpr Format kFormats[] = {
    {"text", true, kForPeople, text},
    {"json", true, kForMachines, json},
    {"html", false, kForMachines, html},
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
