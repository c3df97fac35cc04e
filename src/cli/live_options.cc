// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/live_options.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/peak_memory.h"
#include "cli/terminal.h"
#include "report/json.h"
#include "report/text.h"
#include "support/display.h"

namespace omnium::cli {

namespace {

constexpr std::array<std::string_view, 3> kBlockModes = {"annotated", "functions", "locks"};

}  // namespace

std::vector<Option> LiveOptions::rows() {
  return {
      {'s', "spec", "FILE", "what ought to be atomic (default: every annotated block)", &spec_},
      {'\0', "blocks", "KIND",
       "annotated (default), functions (all but main and those\n"
       "that threads start with), locks (lock to unlock)",
       &blocks_},
      {'f', "format", "NAME", "of the report in -o: text (default), json", &format_},
      {'o', "output", "FILE", "a report at the end, besides what is told on the way",
       &output_path_},
      {'\0', "log", "FILE", "findings as they happen go here (default: standard error)",
       &log_path_},
      {'\0', "stats", "", "what the runtime counted", &stats_},
      {'\0', "color", "WHEN", "auto (default), always, never", &colour_},
  };
}

std::optional<std::string> LiveOptions::wrong() const {
  if (format_ != "text" && format_ != "json") {
    return fmt::format("unknown format '{}'; there are text, json",
                       support::terminal_text(format_));
  }
  if (format_ != "text" && output_path_.empty()) {
    return fmt::format("-f {} needs -o FILE, since standard output is the program's", format_);
  }
  if (!colour_of(colour_)) {
    return fmt::format("--color is auto, always or never, not '{}'",
                       support::terminal_text(colour_));
  }
  if (!blocks_.empty() && std::ranges::find(kBlockModes, blocks_) == kBlockModes.end()) {
    return fmt::format("--blocks is annotated, functions or locks, not '{}'",
                       support::terminal_text(blocks_));
  }
  return std::nullopt;
}

void LiveOptions::take_defaults(std::string spec, std::string blocks) {
  if (spec_.empty()) spec_ = std::move(spec);
  if (blocks_.empty()) blocks_ = std::move(blocks);
}

Result<void> LiveOptions::prepare() {
  if (!spec_.empty()) {
    if (auto read = specification_.read_file(spec_); !read) return read;
  }
  if (!output_path_.empty()) {
    auto output = support::OutputFile::create(output_path_);
    if (!output) return tl::unexpected(output.error());
    output_ = std::move(*output);
  }
  auto log = LogOutput::open(log_path_);
  if (!log) return tl::unexpected(log.error());
  log_ = std::move(*log);
  return {};
}

live::WatchSettings LiveOptions::settings(std::string program) const {
  const bool terminal = log_->to_terminal();
  const report::TextStyle style{terminal ? terminal_width(STDERR_FILENO) : 80,
                                use_colour(*colour_of(colour_), terminal, STDERR_FILENO)};
  return {std::move(program), style, specification_, blocks_ == "functions"};
}

Result<void> LiveOptions::conclude(live::Watcher& watcher, double seconds) {
  watcher.print_summary(stats_);
  if (output_ == nullptr) return {};
  report::Report report = watcher.report();
  report.with_stats = stats_;
  report.seconds = seconds;
  report.peak_bytes = peak_bytes();
  if (format_ == "json") {
    report::render_json(report, *output_);
  } else {
    const bool terminal = output_path_ == "-";
    report::render_text(
        report, {terminal ? terminal_width() : 80, use_colour(*colour_of(colour_), terminal)},
        *output_);
  }
  auto finished = output_->finish();
  if (!finished && output_->reader_left()) return {};
  return finished;
}

}  // namespace omnium::cli
