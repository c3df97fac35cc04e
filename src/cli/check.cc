// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <sys/resource.h>

#include "cli/command.h"
#include "cli/terminal.h"
#include "engines/checker.h"
#include "engines/registry.h"
#include "finding/replay.h"
#include "report/build.h"
#include "report/json.h"
#include "report/text.h"
#include "support/display.h"
#include "support/output_file.h"
#include "trace/trace.h"

namespace omnium::cli {

namespace {

struct CheckSettings {
  std::string engine{kDefaultEngine};
  std::string spec, exclude;
  std::string format = "text";
  std::string output = "-";
  std::string colour = "auto";
  bool all = false, stats = false;
  Arguments traces;
};

std::string engine_names() {
  std::string out;
  for (const EngineEntry& engine : all_engines()) {
    if (!out.empty()) out += ", ";
    out += engine.info.name;
    if (engine.info.name == kDefaultEngine) out += " (default)";
  }
  return out;
}

// "a, b, c" in lines of at most 60 characters.
std::string folded(std::string text) {
  for (std::size_t line = 0; text.size() - line > 60;) {
    const std::size_t blank = text.rfind(' ', line + 60);
    if (blank == std::string::npos || blank <= line) break;
    text[blank] = '\n';
    line = blank + 1;
  }
  return text;
}

Manual manual_of(CheckSettings& settings) {
  return {
      "check",
      "Check recorded traces for atomicity violations.",
      "[options] TRACE...",
      "omnium check -s bank.spec -f json -o report.json run.omt",
      "0 none found, 66 violation found, 2 wrong usage or input",
      {
          {'e', "engine", "NAME", folded(engine_names()), &settings.engine},
          {'s', "spec", "FILE", "what ought to be atomic (default: every block)", &settings.spec},
          {'\0', "exclude", "FILE", "names of blocks that are not atomic, one per line",
           &settings.exclude},
          {'f', "format", "NAME", "text (default), json", &settings.format},
          {'o', "output", "FILE", "where the report goes (default: standard output)",
           &settings.output},
          {'\0', "all", "", "every instance, not only the first of each transaction",
           &settings.all},
          {'\0', "stats", "", "how often each rule of the engine was applied", &settings.stats},
          {'\0', "color", "WHEN", "auto (default), always, never", &settings.colour},
      },
      {"TRACE", 1, ~std::size_t{0}, &settings.traces},
      "",
  };
}

std::uint64_t peak_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

class Checking {
 public:
  Checking(const CheckSettings& settings, const EngineEntry& engine, const Specification& spec,
           report::TextStyle style, support::OutputFile& out)
      : settings_(settings), engine_(engine), spec_(spec), style_(style), out_(out) {}

  // Is the trace serializable? Its report is written.
  Result<bool> check(const std::string& path) {
    auto source = open_trace(path);
    if (!source) return tl::unexpected(source.error());
    Progress progress(path);
    CheckOptions options;
    options.every_instance = settings_.all;
    if (!spec_.empty()) options.specification = &spec_;
    if (progress.wanted()) options.progress = [&](EventIndex done) { progress.show(done); };
    const auto outcome = check_trace(**source, engine_, options);
    progress.erase();
    if (!outcome) return tl::unexpected(outcome.error());
    for (const std::string& warning : (*source)->warnings()) print_warning(warning);
    const Replay details = replay(**source, outcome->violations, outcome->cycle, {});
    report::Report report =
        report::build(path, engine_.info, *outcome, details, (*source)->names());
    report.with_stats = settings_.stats;
    report.peak_bytes = peak_bytes();
    if (settings_.format == "json") {
      report::render_json(report, out_);
    } else {
      report::render_text(report, style_, out_);
    }
    return report.serializable;
  }

 private:
  const CheckSettings& settings_;
  const EngineEntry& engine_;
  const Specification& spec_;
  report::TextStyle style_;
  support::OutputFile& out_;
};

Result<Specification> read_specification(const CheckSettings& settings) {
  Specification spec;
  if (!settings.spec.empty()) {
    if (auto read = spec.read_file(settings.spec); !read) return tl::unexpected(read.error());
  }
  if (!settings.exclude.empty()) {
    if (auto read = spec.read_exclusions(settings.exclude); !read) {
      return tl::unexpected(read.error());
    }
  }
  return spec;
}

int report_error(const Error& error) {
  print_error(error);
  return kBadInput;
}

}  // namespace

int run_check(const Arguments& arguments) {
  CheckSettings settings;
  const Manual manual = manual_of(settings);
  if (const auto status = parse(manual, arguments)) return *status;
  const EngineEntry* engine = find_engine(settings.engine);
  if (engine == nullptr) {
    return usage_error(manual,
                       fmt::format("unknown engine '{}'; there are {}",
                                   support::terminal_text(settings.engine), engine_names()));
  }
  if (settings.format != "text" && settings.format != "json") {
    return usage_error(manual, fmt::format("unknown format '{}'; there are text, json",
                                           support::terminal_text(settings.format)));
  }
  const auto colour = colour_of(settings.colour);
  if (!colour) {
    return usage_error(manual, fmt::format("--color is auto, always or never, not '{}'",
                                           support::terminal_text(settings.colour)));
  }
  const auto spec = read_specification(settings);
  if (!spec) return report_error(spec.error());
  auto out = support::OutputFile::create(settings.output);
  if (!out) return report_error(out.error());

  const bool to_terminal = settings.output == "-";
  const report::TextStyle style{to_terminal ? terminal_width() : 80,
                                use_colour(*colour, to_terminal)};
  Checking checking(settings, *engine, *spec, style, **out);
  bool found = false, failed = false, checked = false;
  for (const std::string& path : settings.traces) {
    const auto serializable = checking.check(path);
    if (serializable) {
      checked = true;
      found |= !*serializable;
    } else {
      failed = true;
      print_error(serializable.error());
    }
  }
  if (checked) {
    const auto written = (*out)->finish();
    if (!written && !(*out)->reader_left()) return report_error(written.error());
  }
  if (failed) return kBadInput;
  return found ? kViolation : kNothingFound;
}

}  // namespace omnium::cli
