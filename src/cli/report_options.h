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
    options.at_the_end_ = true;
    return options;
  }

  // JSON unless another format is asked for.
  static ReportOptions of_results() {
    ReportOptions options;
    options.fallback_ = "json";
    return options;
  }

  // Rows for the command's table of options: -f, -o, --color; and those for known findings.
  std::vector<Option> format_rows();
  std::vector<Option> source_rows();
  std::vector<Option> stack_rows();
  std::vector<Option> triage_rows();
  // Returns what is wrong with the values, or nothing.
  std::optional<std::string> wrong() const;

  // Where a report goes, and how it looks.
  struct Destination {
    std::string path;  // "-": standard output
    const report::Format* format;
  };
  // All of them; valid if nothing is wrong. None: no report is written.
  std::vector<Destination> destinations() const;
  // The one file of a command that has no formats.
  std::string output() const { return outputs_.empty() ? "-" : outputs_.front(); }
  // How many causes the formats want drawn.
  std::size_t pictures() const;
  // Does every format tell one trace after the other, as text and JSON do?
  bool one_by_one() const;
  Colour colour() const { return *colour_of(colour_); }
  bool source() const { return source_; }
  bool stacks() const { return stacks_; }
  // Is a text report printed to a terminal?
  bool on_terminal() const;
  // Was --suppressions or --baseline given?
  bool wants_triage() const { return !suppressions_.empty() || !baseline_.empty(); }

 private:
  friend class ReportOutput;
  std::optional<std::string> wrong_outputs() const;

  std::string format_, colour_ = "auto";
  std::string_view fallback_ = "text";  // if neither -f nor the extension says the format
  Arguments outputs_;
  bool at_the_end_ = false;
  std::string suppressions_, baseline_;
  bool source_ = false, stacks_ = false;
};

// Where the reports of a command go, in the formats that were asked for.
class ReportOutput {
 public:
  // One of the places.
  struct Place {
    const report::Format& format;
    report::RenderOptions options;
    support::ByteSink& bytes;
  };
  // Writes what a format has for a command of its own, or says that it has not: false.
  using OwnFormats = std::function<Result<bool>(const Place& place)>;

  // Reads suppressions and baseline.
  static Result<ReportOutput> open(const ReportOptions& options);

  // Marks known causes, and remembers whether there is a cause that is not known.
  void mark(report::Report& report);
  // Marks and renders. `names` owns the strings that the report refers to.
  Result<void> add(report::Report report, std::shared_ptr<const void> names);
  // The same for a report that is marked; commands whose text and JSON say more have formats of
  // their own.
  Result<void> add_marked(report::Report report, std::shared_ptr<const void> names,
                          const OwnFormats& own = {});
  // Only what the command has itself.
  Result<void> write(const OwnFormats& own);
  // Call after the last report. Lists on standard error which suppressions matched.
  Result<void> finish();

  // Does what mark() does, for findings that are printed before they are added.
  std::function<void(report::Report&)> marker() const;

  // Was something added that is neither suppressed nor in the baseline?
  bool has_news() const { return has_news_; }

 private:
  struct Target {
    ReportOptions::Destination to;
    std::unique_ptr<support::OutputFile> file;
  };
  ReportOutput(const ReportOptions& options, std::vector<Target> targets)
      : options_(options), targets_(std::move(targets)) {}
  report::RenderOptions render_options(const Target& target) const;
  Place place(const Target& target) const;
  void say_what_was_known() const;

  const ReportOptions& options_;
  std::vector<Target> targets_;
  triage::Triage triage_;
  bool has_news_ = false;
  std::vector<report::Report> reports_;  // for formats that need them all
  std::vector<std::shared_ptr<const void>> names_;
};

}  // namespace omnium::cli
