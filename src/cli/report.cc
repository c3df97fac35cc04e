// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/advised.h"
#include "cli/command.h"
#include "cli/report_options.h"
#include "cli/terminal.h"
#include "report/json_reader.h"

namespace omnium::cli {

namespace {

struct ReportSettings {
  ReportOptions report;
  Arguments results;
};

Manual manual_of(ReportSettings& settings) {
  return {
      "report",
      "Render stored results in any format.",
      "[options] RESULT.json...",
      "omnium report -f sarif -o findings.sarif result.json",
      "0 no violation, 66 violation found, 2 usage or input error",
      joined({settings.report.format_rows(), settings.report.source_rows(),
              settings.report.stack_rows(), settings.report.triage_rows()}),
      {"RESULT.json", 1, ~std::size_t{0}, &settings.results},
      "A result is what -f json writes: one JSON object, or several in a row.\n",
  };
}

}  // namespace

int run_report(const Arguments& arguments) {
  ReportSettings settings;
  const Manual manual = manual_of(settings);
  if (const auto status = parse(manual, arguments)) return *status;
  if (const auto wrong = settings.report.wrong()) return usage_error(manual, *wrong);
  auto out = ReportOutput::open(settings.report);
  if (!out) return report_error(out.error());
  for (const std::string& path : settings.results) {
    auto stored = report::StoredReports::read_file(path);
    if (!stored) return report_error(advised(stored.error(), path, FileKind::kResult));
    const auto names = std::make_shared<report::StoredReports>(std::move(*stored));
    for (report::Report& report : names->reports()) {
      if (auto added = out->add(std::move(report), names); !added) {
        return report_error(added.error());
      }
    }
  }
  if (auto written = out->finish(); !written) return report_error(written.error());
  return out->has_news() ? kViolation : kNothingFound;
}

}  // namespace omnium::cli
