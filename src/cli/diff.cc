// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/advised.h"
#include "cli/choices.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "report/json_reader.h"
#include "support/output_file.h"
#include "triage/difference.h"

namespace omnium::cli {

namespace {

struct DiffSettings {
  std::string format = "text", output = "-";
  Arguments results;
};

Manual manual_of(DiffSettings& settings) {
  return {
      "diff",
      "Compare two results: what is fixed, new, unchanged?",
      "[options] OLD.json NEW.json",
      "omnium diff main.json branch.json",
      "0 nothing new, 66 something new, 2 usage or input error",
      {{'f', "format", "NAME", "text (default), json", &settings.format},
       {'o', "output", "FILE", "write the comparison here (default: standard output)",
        &settings.output}},
      {"OLD.json NEW.json", 2, 2, &settings.results},
      "Findings are matched by id. Suppressed findings count too.\n",
  };
}

}  // namespace

int run_diff(const Arguments& arguments) {
  DiffSettings settings;
  const Manual manual = manual_of(settings);
  if (const auto status = parse(manual, arguments)) return *status;
  if (const auto wrong = wrong_choice("format", settings.format, choices("diff", "format"))) {
    return usage_error(manual, *wrong);
  }
  const auto before = report::StoredReports::read_file(settings.results[0]);
  if (!before) return report_error(advised(before.error(), FileKind::kResult));
  const auto after = report::StoredReports::read_file(settings.results[1]);
  if (!after) return report_error(advised(after.error(), FileKind::kResult));
  auto out = support::OutputFile::create(settings.output);
  if (!out) return report_error(out.error());
  const triage::Difference difference = triage::difference(before->reports(), after->reports());
  if (settings.format == "json") {
    render_json(difference, **out);
  } else {
    render_text(difference, **out);
  }
  const auto written = (*out)->finish();
  if (!written && !(*out)->reader_left()) return report_error(written.error());
  return difference.fresh.empty() && difference.unclear.empty() ? kNothingFound : kViolation;
}

}  // namespace omnium::cli
