// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// -f, -o and --color: the same for every command that reports findings.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "report/format.h"
#include "support/output_file.h"

namespace omnium::cli {

class ReportOptions {
 public:
  // Rows for the command's table of options.
  std::vector<Option> rows();
  // What is wrong with the values; nothing if all is well.
  std::optional<std::string> wrong() const;

  const report::Format& format() const { return *report::find_format(format_); }
  const std::string& output() const { return output_; }
  report::RenderOptions render_options() const;

 private:
  std::string format_ = "text", output_ = "-", colour_ = "auto";
};

// Where the reports of a command go, in the format that was asked for.
class ReportOutput {
 public:
  static Result<ReportOutput> open(const ReportOptions& options);

  // `names`: what the report's names are views of.
  Result<void> add(report::Report report, std::shared_ptr<const void> names);
  // For what has a format of its own.
  support::ByteSink& bytes() { return *out_; }
  // All reports were added.
  Result<void> finish();

 private:
  ReportOutput(const ReportOptions& options, std::unique_ptr<support::OutputFile> out)
      : options_(options), out_(std::move(out)) {}

  const ReportOptions& options_;
  std::unique_ptr<support::OutputFile> out_;
  std::vector<report::Report> reports_;  // of a format that needs them all
  std::vector<std::shared_ptr<const void>> names_;
};

}  // namespace omnium::cli
