// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/report_options.h"


#include <fmt/format.h>

#include "cli/terminal.h"
#include "report/json_reader.h"
#include "report/words.h"
#include "support/display.h"
#include "support/source_root.h"

namespace omnium::cli {

std::vector<Option> ReportOptions::format_rows() {
  std::string names = report::format_names();
  names.insert(names.find(format_) + format_.size(), " (default)");
  return {
      {'f', "format", "NAME", names, &format_},
      {'o', "output", "FILE",
       output_.empty() ? "also write a full report at exit"
                       : "write the report here (default: standard output)",
       &output_},
      {'\0', "color", "WHEN", "auto (default), always, never", &colour_},
  };
}

std::vector<Option> ReportOptions::source_rows() {
  return {{'\0', "source", "", "show source lines (always on in HTML)", &source_}};
}

std::vector<Option> ReportOptions::stack_rows() {
  return {{'\0', "stacks", "", "show the stack of each violating thread", &stacks_}};
}

std::vector<Option> ReportOptions::triage_rows() {
  return {
      {'\0', "suppressions", "FILE", "suppression file", &suppressions_},
      {'\0', "baseline", "OLD.json", "report only findings that are not in this result",
       &baseline_},
  };
}

std::optional<std::string> ReportOptions::wrong() const {
  if (report::find_format(format_) == nullptr) {
    return fmt::format("unknown format '{}' (choose from {})", support::terminal_text(format_),
                       report::format_names());
  }
  if (!colour_of(colour_)) {
    return fmt::format("--color must be auto, always or never, got '{}'",
                       support::terminal_text(colour_));
  }
  if (output_.empty() && format_ != "text") {
    return fmt::format("-f {} needs -o FILE: standard output belongs to the program", format_);
  }
  return std::nullopt;
}

Result<ReportOutput> ReportOutput::open(const ReportOptions& options) {
  triage::Triage triage;
  if (!options.suppressions_.empty()) {
    auto suppressions = triage::Suppressions::read_file(options.suppressions_);
    if (!suppressions) return tl::unexpected(suppressions.error());
    triage.use(std::move(*suppressions));
  }
  if (!options.baseline_.empty()) {
    const auto baseline = report::StoredReports::read_file(options.baseline_);
    if (!baseline) return tl::unexpected(baseline.error());
    triage.use_baseline(*baseline);
  }
  std::unique_ptr<support::OutputFile> file;
  if (!options.output_.empty()) {
    auto created = support::OutputFile::create(options.output_);
    if (!created) return tl::unexpected(created.error());
    file = std::move(*created);
  }
  ReportOutput out(options, std::move(file));
  out.triage_ = std::move(triage);
  return out;
}

report::RenderOptions ReportOutput::render_options() const {
  static const std::string source_root = support::source_root();
  const bool to_terminal = options_.output_ == "-";
  report::RenderOptions out{{}, source_root, options_.source_};
  out.text.width = to_terminal ? terminal_width() : 80;
  out.text.colour = use_colour(options_.colour(), to_terminal);
  out.text.stacks = options_.stacks_;
  return out;
}

void ReportOutput::mark(report::Report& report) {
  triage_.mark(report);
  has_news_ |= triage::has_news(report);
}

Result<void> ReportOutput::add(report::Report report, std::shared_ptr<const void> names) {
  mark(report);
  if (out_ == nullptr) return {};
  const report::Format& format = options_.format();
  if (format.one_by_one) return format.render({&report, 1}, render_options(), *out_);
  reports_.push_back(std::move(report));
  names_.push_back(std::move(names));
  return {};
}

void ReportOutput::say_what_was_known() const {
  if (const auto& suppressions = triage_.suppressions()) {
    for (const triage::Suppression& it : suppressions->all()) {
      const std::string rule = fmt::format("{}:{}: {}", it.at.file, it.at.line, to_string(it));
      if (it.causes == 0) {
        print_warning(fmt::format("{}: stale: matches nothing", rule));
      } else {
        print_note(fmt::format("{}: matched {} with {}", rule, report::count_of(it.causes, "cause"),
                               report::count_of(it.violations, "violation")));
      }
    }
  }
  if (const auto counts = triage_.baseline_counts()) {
    print_note(fmt::format("{}: {} known, {} new, {} not seen", options_.baseline_,
                           report::count_of(counts->known, "cause"), counts->fresh,
                           report::count_of(counts->unseen, "baseline finding")));
  }
}

std::function<void(report::Report&)> ReportOutput::marker() const {
  return [triage = triage_](report::Report& report) {
    triage::Triage fresh = triage;
    fresh.mark(report);
  };
}

Result<void> ReportOutput::finish() {
  if (out_ == nullptr) return say_what_was_known(), Result<void>();
  const report::Format& format = options_.format();
  if (!format.one_by_one) {
    if (auto done = format.render(reports_, render_options(), *out_); !done) return done;
  }
  say_what_was_known();
  const auto written = out_->finish();
  if (!written && !out_->reader_left()) return written;
  return {};
}

}  // namespace omnium::cli
