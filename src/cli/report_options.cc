// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/report_options.h"

#include <filesystem>

#include <fmt/format.h>

#include "cli/terminal.h"
#include "support/display.h"

namespace omnium::cli {

namespace {

// Of the repository around the working directory, or that directory itself.
std::string source_root() {
  std::error_code failed;
  const auto here = std::filesystem::current_path(failed);
  for (auto folder = here; !folder.empty(); folder = folder.parent_path()) {
    if (std::filesystem::exists(folder / ".git", failed)) return folder.string();
    if (folder == folder.root_path()) break;
  }
  return here.string();
}

}  // namespace

std::vector<Option> ReportOptions::rows() {
  std::string names = report::format_names();
  names.insert(names.find(','), " (default)");
  return {
      {'f', "format", "NAME", folded(names), &format_},
      {'o', "output", "FILE", "where the report goes (default: standard output)", &output_},
      {'\0', "color", "WHEN", "auto (default), always, never", &colour_},
  };
}

std::optional<std::string> ReportOptions::wrong() const {
  if (report::find_format(format_) == nullptr) {
    return fmt::format("unknown format '{}'; there are {}", support::terminal_text(format_),
                       report::format_names());
  }
  if (!colour_of(colour_)) {
    return fmt::format("--color is auto, always or never, not '{}'",
                       support::terminal_text(colour_));
  }
  return std::nullopt;
}

report::RenderOptions ReportOptions::render_options() const {
  const bool to_terminal = output_ == "-";
  return {{to_terminal ? terminal_width() : 80, use_colour(*colour_of(colour_), to_terminal)},
          source_root()};
}

Result<ReportOutput> ReportOutput::open(const ReportOptions& options) {
  auto out = support::OutputFile::create(options.output());
  if (!out) return tl::unexpected(out.error());
  return ReportOutput(options, std::move(*out));
}

Result<void> ReportOutput::add(report::Report report, std::shared_ptr<const void> names) {
  const report::Format& format = options_.format();
  if (format.one_by_one) return format.render({&report, 1}, options_.render_options(), *out_);
  reports_.push_back(std::move(report));
  names_.push_back(std::move(names));
  return {};
}

Result<void> ReportOutput::finish() {
  const report::Format& format = options_.format();
  if (!format.one_by_one) {
    if (auto done = format.render(reports_, options_.render_options(), *out_); !done) return done;
  }
  const auto written = out_->finish();
  if (!written && !out_->reader_left()) return written;
  return {};
}

}  // namespace omnium::cli
