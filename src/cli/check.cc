// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <memory>

#include <fmt/format.h>

#include "cli/choices.h"
#include "cli/command.h"
#include "cli/compare.h"
#include "cli/mode_options.h"
#include "cli/number.h"
#include "cli/peak_memory.h"
#include "cli/report_options.h"
#include "cli/specification_options.h"
#include "cli/stoppable_source.h"
#include "cli/terminal.h"
#include "decode/open.h"
#include "engines/checker.h"
#include "engines/registry.h"
#include "report/build.h"
#include "report/comparison.h"
#include "report/words.h"
#include "support/display.h"

namespace omnium::cli {

namespace {

constexpr std::string_view kAllEngines = "all";

struct CheckSettings {
  std::string engine{kDefaultEngine};
  SpecificationOptions specification;
  ModeOptions mode;
  ReportOptions report;
  std::string timeout;
  bool all = false, stats = false, no_refine = false, require_blocks = false;
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

Manual manual_of(CheckSettings& settings) {
  return {
      "check",
      "Check recorded traces for atomicity violations.",
      "[options] TRACE...",
      "omnium check -s bank.spec -f json -o report.json run.omt",
      "0 no violation, 66 violation found, 2 usage or input error",
      joined({{{'e', "engine", "NAME",
                engine_names() + "; all: run every engine and compare the answers",
                &settings.engine}},
              settings.specification.rows(),
              settings.mode.rows(),
              settings.report.format_rows(),
              settings.report.source_rows(),
              settings.report.triage_rows(),
              {{'\0', "all", "", "report every instance, not only the first of each transaction",
                &settings.all},
               {'\0', "no-refine", "",
                "if functions are blocks, the first instance of each transaction (default: of each "
                "function)",
                &settings.no_refine},
               {'\0', "require-blocks", "",
                "exit with 2 if no atomic block is in the traces: nothing was checked",
                &settings.require_blocks},
               {'\0', "stats", "", "print time, memory and the counters of the engine",
                &settings.stats},
               {'\0', "timeout", "SECONDS", "time limit per engine, with -e all (default: none)",
                &settings.timeout}}}),
      {"TRACE", 1, ~std::size_t{0}, &settings.traces},
      "",
  };
}

// How many blocks ran that should be atomic; engines that do not judge blocks count all of them.
std::uint64_t judged_blocks(const report::Report& report) {
  if (report.engine->blocks == Promise::kNothing) return report.counts.blocks;
  std::uint64_t count = 0;
  for (const report::Runs& runs : report.runs) count += runs.count;
  return count;
}

// Checks traces one after the other and writes a report for each.
class Checking {
 public:
  Checking(CheckSettings& settings, ReportOutput& out) : settings_(settings), out_(out) {}

  // Checks one trace. True if nothing new has been found so far.
  Result<bool> check(const std::string& path, const EngineEntry& engine) {
    auto opened = open_trace(path);
    if (!opened) return tl::unexpected(opened.error());
    const auto source = std::make_shared<StoppableSource>(std::move(*opened));
    const auto spec = settings_.specification.for_trace(*source);
    if (!spec) return tl::unexpected(spec.error());
    Progress progress(path);
    CheckOptions options;
    options.look_through_silent_locks = true;
    options.mode = settings_.mode.mode();
    options.every_instance = settings_.all;
    options.refines = !settings_.no_refine;
    if (!spec->empty()) options.specification = &*spec;
    if (progress.wanted()) options.progress = [&](EventIndex done) { progress.show(done); };
    auto report = report::check_and_report(*source, path, engine, options,
                                           {settings_.report.pictures()});
    progress.erase();
    if (!report) return tl::unexpected(report.error());
    settings_.specification.look_at(source->names());
    for (const std::string& warning : source->warnings()) print_warning(warning);
    for (const std::string& warning : report->warnings) {
      print_warning(fmt::format("{}: {}", support::terminal_text(path), warning));
    }
    report->with_stats = settings_.stats;
    if (source->stopped()) {
      stopped_ = true;
      mark_as_stopped(*report);
    }
    blocks_ += judged_blocks(*report);
    if (report->counts.events == 0) {
      print_warning(fmt::format("{}: the trace is empty", support::terminal_text(path)));
    }
    report->peak_bytes = peak_bytes();
    if (auto added = out_.add(std::move(*report), source); !added) {
      return tl::unexpected(added.error());
    }
    return !out_.has_news();
  }

  // So far.
  std::uint64_t blocks() const { return blocks_; }
  bool stopped() const { return stopped_; }

  // Checks one trace with all engines; an error if they disagree.
  Result<bool> compare(const std::string& path, std::optional<std::chrono::seconds> timeout) {
    const auto comparison =
        compare_engines(path, settings_.specification, settings_.mode.mode(), timeout);
    if (!comparison) return tl::unexpected(comparison.error());
    const auto written = out_.write([&](const ReportOutput::Place& place) -> Result<bool> {
      if (place.format.name == "json") {
        report::render_json(*comparison, place.bytes);
      } else {
        report::render_text(*comparison, place.bytes);
      }
      return true;
    });
    if (!written) return tl::unexpected(written.error());
    if (!comparison->disagreements.empty()) {
      return fail({path}, fmt::format("{}: this is a bug in Omnium, please report it",
                                      comparison->disagreements.front()));
    }
    return std::ranges::none_of(comparison->engines, [](const ComparedEngine& engine) {
      return engine.answer && engine.answer->serializable == false;
    });
  }

 private:
  // A part of a trace says nothing of the rest, unless it is wrong by itself.
  static void mark_as_stopped(report::Report& report) {
    report.stopped = true;
    if (report.serializable.value_or(false)) report.serializable.reset();
    print_warning(fmt::format("{}: stopped after {}", support::terminal_text(report.path),
                              report::count_of(report.counts.events, "event")));
  }

  CheckSettings& settings_;
  ReportOutput& out_;
  std::uint64_t blocks_ = 0;
  bool stopped_ = false;  // by the user, in the middle of a trace
};

// Returns what is wrong with the settings, or nothing.
std::optional<std::string> wrong_settings(const CheckSettings& settings) {
  if (const auto wrong = wrong_choice("engine", settings.engine, choices("check", "engine"))) {
    return wrong;
  }
  if (const auto wrong = settings.mode.wrong()) return wrong;
  if (const auto wrong = settings.report.wrong()) return wrong;
  if (settings.engine == kAllEngines && !settings.report.one_by_one()) {
    return "-e all prints a table: choose -f text or -f json";
  }
  if (settings.engine == kAllEngines && settings.report.wants_triage()) {
    return "--suppressions and --baseline cannot be combined with -e all";
  }
  if (settings.engine == kAllEngines && settings.require_blocks) {
    return "--require-blocks cannot be combined with -e all";
  }
  if (settings.engine != kAllEngines && !settings.timeout.empty()) {
    return "--timeout limits each engine of a comparison: add -e all, or leave it out";
  }
  const auto timeout = parse_count(settings.timeout);
  if (!settings.timeout.empty() && (!timeout || *timeout == 0 || *timeout > 1'000'000)) {
    return fmt::format("--timeout needs a number of seconds, got '{}'",
                       support::terminal_text(settings.timeout));
  }
  return std::nullopt;
}

// One line for a person who reads the report on a terminal; empty otherwise.
std::string next_step(const CheckSettings& settings, bool found) {
  if (settings.engine == kAllEngines || !settings.report.on_terminal()) return "";
  const std::string trace = shell_word(settings.traces.front());
  if (!found) {
    return fmt::format(
        "Next: check other interleavings: omnium predict {}\n"
        "  or make them happen: {}\n",
        trace, kHuntLine);
  }
  return fmt::format("Next: view it in a browser: omnium check -f html -o report.html {}\n", trace);
}

}  // namespace

int run_check(const Arguments& arguments) {
  CheckSettings settings;
  const Manual manual = manual_of(settings);
  if (const auto status = parse(manual, arguments)) return *status;
  if (const auto wrong = wrong_settings(settings)) return usage_error(manual, *wrong);
  if (auto read = settings.specification.read(); !read) return report_error(read.error());
  auto out = ReportOutput::open(settings.report);
  if (!out) return report_error(out.error());
  std::optional<std::chrono::seconds> timeout;
  if (!settings.timeout.empty()) timeout.emplace(*parse_count(settings.timeout));
  const EngineEntry* engine = find_engine(settings.engine);
  Checking checking(settings, *out);
  bool found = false, failed = false, checked = false, stopped = false;
  for (const std::string& path : settings.traces) {
    stopped |= support::is_interrupted();
    if (stopped) break;
    const auto clean =
        engine == nullptr ? checking.compare(path, timeout) : checking.check(path, *engine);
    if (clean) {
      checked = true;
      found |= !*clean;
    } else {
      failed = true;
      print_error(clean.error());
    }
  }
  if (checked) {
    if (auto written = out->finish(); !written) return report_error(written.error());
  }
  if (failed) return kBadInput;
  if (stopped || checking.stopped()) return found ? kViolation : kInterrupted;
  if (settings.require_blocks && checking.blocks() == 0) {
    print_error("nothing was checked: no atomic block is in the traces");
    return kBadInput;
  }
  settings.specification.warn_of_unused();
  print_out(next_step(settings, found));
  return found ? kViolation : kNothingFound;
}

}  // namespace omnium::cli
