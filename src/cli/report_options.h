// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// -f, -o, --color, --suppressions and --baseline: the same for every command that reports findings.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/terminal.h"
#include "report/format.h"
#include "support/output_file.h"
#include "triage/triage.h"

namespace omnium::cli {

class ReportOptions {
 public:
  ReportOptions() = default;
  // A report is only written if -o is given; findings are printed in another way as they happen.
  static ReportOptions at_the_end() {
    ReportOptions options;
    options.output_.clear();
    return options;
  }

  // JSON unless another format is asked for.
  static ReportOptions of_results() {
    ReportOptions options;
    options.format_ = "json";
    return options;
  }

  // Rows for the command's table of options: -f, -o, --color; and those for known findings.
  std::vector<Option> format_rows();
  std::vector<Option> source_rows();
  std::vector<Option> stack_rows();
  std::vector<Option> triage_rows();
  // Returns what is wrong with the values, or nothing.
  std::optional<std::string> wrong() const;

  const report::Format& format() const { return *report::find_format(format_); }
  const std::string& output() const { return output_; }
  Colour colour() const { return *colour_of(colour_); }
  bool source() const { return source_; }
  bool stacks() const { return stacks_; }
  // Is the text report printed to a terminal?
  bool on_terminal() const { return output_ == "-" && format_ == "text" && cli::on_terminal(); }
  // Was --suppressions or --baseline given?
  bool wants_triage() const { return !suppressions_.empty() || !baseline_.empty(); }

 private:
  friend class ReportOutput;

  std::string format_ = "text", output_ = "-", colour_ = "auto";
  std::string suppressions_, baseline_;
  bool source_ = false, stacks_ = false;
};

// Where the reports of a command go, in the format that was asked for.
class ReportOutput {
 public:
  // Reads suppressions and baseline.
  static Result<ReportOutput> open(const ReportOptions& options);

  // Marks known causes, and remembers whether there is a cause that is not known.
  void mark(report::Report& report);
  // Marks and renders. `names` owns the strings that the report refers to.
  Result<void> add(report::Report report, std::shared_ptr<const void> names);
  // For commands whose text and JSON say more than a report.
  support::ByteSink& bytes() { return *out_; }
  report::RenderOptions render_options() const;
  // Call after the last report. Lists on standard error which suppressions matched.
  Result<void> finish();

  // Does what mark() does, for findings that are printed before they are added.
  std::function<void(report::Report&)> marker() const;

  // Was something added that is neither suppressed nor in the baseline?
  bool has_news() const { return has_news_; }

 private:
  ReportOutput(const ReportOptions& options, std::unique_ptr<support::OutputFile> out)
      : options_(options), out_(std::move(out)) {}
  void say_what_was_known() const;

  const ReportOptions& options_;
  std::unique_ptr<support::OutputFile> out_;  // null: no report
  triage::Triage triage_;
  bool has_news_ = false;
  std::vector<report::Report> reports_;  // of a format that needs them all
  std::vector<std::shared_ptr<const void>> names_;
};

}  // namespace omnium::cli
