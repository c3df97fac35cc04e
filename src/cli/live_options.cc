// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/live_options.h"

#include <utility>

#include <unistd.h>

#include "cli/peak_memory.h"
#include "cli/terminal.h"
#include "report/text.h"

namespace omnium::cli {

std::vector<Option> LiveOptions::rows() {
  const std::vector<Option> own = {
      {'\0', "log", "FILE", "write findings here as they happen (default: standard error)",
       &log_path_},
      {'\0', "stats", "", "print the counters of the runtime", &stats_},
  };
  return joined({blocks_.rows(), own, report_.format_rows(), report_.source_rows(),
                 report_.stack_rows(), report_.triage_rows()});
}

std::optional<std::string> LiveOptions::wrong() const {
  if (auto wrong = report_.wrong()) return wrong;
  return blocks_.wrong();
}

Result<void> LiveOptions::prepare() {
  if (auto read = blocks_.read_specification(); !read) return read;
  auto output = ReportOutput::open(report_);
  if (!output) return tl::unexpected(output.error());
  output_.emplace(std::move(*output));
  auto log = LogOutput::open(log_path_);
  if (!log) return tl::unexpected(log.error());
  log_ = std::move(*log);
  return {};
}

watch::WatchSettings LiveOptions::settings(std::string program) const {
  const bool terminal = log_->to_terminal();
  watch::WatchSettings out;
  out.program = std::move(program);
  out.style.width = terminal ? terminal_width(STDERR_FILENO) : 80;
  out.style.colour = use_colour(report_.colour(), terminal, STDERR_FILENO);
  out.style.stacks = report_.stacks();
  out.specification = blocks_.specification();
  out.functions_are_blocks = blocks_.functions_are_blocks();
  out.source = report_.source();
  out.mark = output_->marker();
  return out;
}

Result<bool> LiveOptions::conclude(watch::Watcher& watcher, double seconds) {
  watcher.tell_rest();
  watcher.print_summary(stats_);
  watcher.warn_of_unused_rules();
  report::Report report = watcher.report();
  report.with_stats = stats_;
  report.seconds = seconds;
  report.peak_bytes = peak_bytes();
  // The watcher owns the names and lives until the output is finished.
  std::vector<report::Report> reports;
  reports.push_back(std::move(report));
  return conclude(std::move(reports));
}

Result<void> LiveOptions::write(const report::Comparison& comparison) {
  report::render_text(comparison, *log_);
  return output_->write([&](const ReportOutput::Place& place) -> Result<bool> {
    if (place.format.name == "json") {
      report::render_json(comparison, place.bytes);
    } else {
      report::render_text(comparison, place.bytes);
    }
    return true;
  });
}

Result<bool> LiveOptions::conclude(std::vector<report::Report> reports) {
  for (report::Report& report : reports) {
    if (auto added = output_->add(std::move(report), nullptr); !added) {
      return tl::unexpected(added.error());
    }
  }
  if (auto finished = output_->finish(); !finished) return tl::unexpected(finished.error());
  return output_->has_news();
}

}  // namespace omnium::cli
