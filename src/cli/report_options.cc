// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/report_options.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "cli/advised.h"
#include "cli/choices.h"
#include "cli/terminal.h"
#include "report/json_reader.h"
#include "report/words.h"
#include "support/display.h"
#include "support/source_root.h"

namespace omnium::cli {

std::vector<Option> ReportOptions::format_rows() {
  std::string names = report::format_names();
  names.insert(names.find(fallback_) + fallback_.size(), " (default)");
  return {
      {'f', "format", "NAME", names + "; default with -o: by the extension of FILE", &format_},
      {'o', "output", "FILE",
       at_the_end_ ? "also write a full report at exit; can be given several times"
                   : "write the report here (default: standard output); can be given several times",
       &outputs_},
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
  if (!format_.empty()) {
    if (auto wrong = wrong_choice("format", format_, choices("", "format"))) return wrong;
  }
  if (!colour_of(colour_)) return wrong_choice("value of --color", colour_, choices("", "color"));
  if (at_the_end_ && outputs_.empty() && !format_.empty() && format_ != "text") {
    return fmt::format("-f {} needs -o FILE: standard output belongs to the program", format_);
  }
  return wrong_outputs();
}

std::optional<std::string> ReportOptions::wrong_outputs() const {
  if (outputs_.size() > 1 && !format_.empty()) {
    return "with several -o each file has the format of its extension: leave -f out";
  }
  std::set<std::string_view> seen;
  for (const std::string& path : outputs_) {
    if (path.empty()) return "-o needs the name of a file";
    if (!seen.insert(path).second) {
      return fmt::format("-o {} is given twice", support::terminal_text(path));
    }
    if (!format_.empty() || path == "-" || report::format_of_file(path) != nullptr) continue;
    if (fallback_ != "text") continue;
    std::error_code ignored;  // what is no file, such as /dev/null or a pipe, may have any name
    if (std::filesystem::exists(path, ignored) &&
        !std::filesystem::is_regular_file(path, ignored)) {
      continue;
    }
    return fmt::format("cannot tell the format of '{}' from its extension; add -f NAME ({})",
                       support::terminal_text(path), report::format_names());
  }
  return std::nullopt;
}

std::vector<ReportOptions::Destination> ReportOptions::destinations() const {
  Arguments paths = outputs_;
  if (paths.empty() && !at_the_end_) paths.push_back("-");
  std::vector<Destination> out;
  for (const std::string& path : paths) {
    const report::Format* by_name = path == "-" ? nullptr : report::format_of_file(path);
    if (by_name == nullptr) by_name = report::find_format(fallback_);
    out.push_back({path, format_.empty() ? by_name : report::find_format(format_)});
  }
  return out;
}

std::size_t ReportOptions::pictures() const {
  std::size_t most = report::find_format("text")->pictures;
  for (const Destination& it : destinations()) most = std::max(most, it.format->pictures);
  return most;
}

bool ReportOptions::one_by_one() const {
  return std::ranges::all_of(destinations(),
                             [](const Destination& it) { return it.format->one_by_one; });
}

bool ReportOptions::on_terminal() const {
  return cli::on_terminal() && std::ranges::any_of(destinations(), [](const Destination& it) {
           return it.path == "-" && it.format->name == "text";
         });
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
    if (!baseline) return tl::unexpected(advised(baseline.error(), FileKind::kResult));
    triage.use_baseline(*baseline);
  }
  std::vector<Target> targets;
  for (ReportOptions::Destination& to : options.destinations()) {
    auto created = support::OutputFile::create(to.path);
    if (!created) return tl::unexpected(created.error());
    targets.push_back({std::move(to), std::move(*created)});
  }
  ReportOutput out(options, std::move(targets));
  out.triage_ = std::move(triage);
  return out;
}

report::RenderOptions ReportOutput::render_options(const Target& target) const {
  static const std::string source_root = support::source_root();
  const bool to_terminal = target.to.path == "-";
  report::RenderOptions out{{}, source_root, options_.source_};
  out.text.width = to_terminal ? terminal_width() : 80;
  out.text.colour = use_colour(options_.colour(), to_terminal);
  out.text.stacks = options_.stacks_;
  if (const char* editor = std::getenv("OMNIUM_EDITOR")) out.editor = editor;
  return out;
}

ReportOutput::Place ReportOutput::place(const Target& target) const {
  return {*target.to.format, render_options(target), *target.file};
}

void ReportOutput::mark(report::Report& report) {
  triage_.mark(report);
  has_news_ |= triage::has_news(report);
}

Result<void> ReportOutput::add(report::Report report, std::shared_ptr<const void> names) {
  mark(report);
  return add_marked(std::move(report), std::move(names));
}

Result<void> ReportOutput::add_marked(report::Report report, std::shared_ptr<const void> names,
                                      const OwnFormats& own) {
  bool keep = false;
  for (const Target& target : targets_) {
    const Place at = place(target);
    if (own) {
      const auto done = own(at);
      if (!done) return tl::unexpected(done.error());
      if (*done) continue;
    }
    if (at.format.one_by_one) {
      if (auto done = at.format.render({&report, 1}, at.options, at.bytes); !done) return done;
    } else {
      keep = true;
    }
  }
  if (!keep) return {};
  reports_.push_back(std::move(report));
  names_.push_back(std::move(names));
  return {};
}

Result<void> ReportOutput::write(const OwnFormats& own) {
  for (const Target& target : targets_) {
    if (const auto done = own(place(target)); !done) return tl::unexpected(done.error());
  }
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
  for (const Target& target : targets_) {
    const Place at = place(target);
    if (at.format.one_by_one) continue;
    if (auto done = at.format.render(reports_, at.options, at.bytes); !done) return done;
  }
  say_what_was_known();
  for (const Target& target : targets_) {
    const auto written = target.file->finish();
    if (!written && !target.file->reader_left()) return written;
  }
  return {};
}

}  // namespace omnium::cli
