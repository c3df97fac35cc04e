// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/compare.h"
#include "cli/mode_options.h"
#include "cli/number.h"
#include "cli/peak_memory.h"
#include "cli/report_options.h"
#include "cli/specification_options.h"
#include "cli/terminal.h"
#include "decode/open.h"
#include "engines/checker.h"
#include "engines/registry.h"
#include "predict/predict.h"
#include "report/atomizer.h"
#include "report/build.h"
#include "report/comparison.h"
#include "report/inner_blocks.h"
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
  bool all = false, stats = false, no_refine = false, first = false;
  bool no_merge = false, all_edges = false, atomizer = false;
  Arguments traces;

  bool compares() const { return engine == kAllEngines; }
  // With the option that makes it a variant.
  std::string engine_name() const {
    return engine + (no_merge ? " --no-merge" : "") + (all_edges ? " --all-edges" : "");
  }
};

// For -e all, with the variants that the options ask for.
std::vector<const EngineEntry*> engines_to_compare(const CheckSettings& settings) {
  std::vector<const EngineEntry*> engines;
  for (const EngineEntry& engine : all_engines()) engines.push_back(&engine);
  if (settings.no_merge) engines.push_back(find_engine("velodrome --no-merge"));
  if (settings.all_edges) engines.push_back(find_engine("conflict-graph --all-edges"));
  return engines;
}

std::string engine_names(std::string_view mark_of_default) {
  std::string out;
  for (const EngineEntry& engine : all_engines()) {
    if (!out.empty()) out += ", ";
    out += engine.info.name;
    if (engine.info.name == kDefaultEngine) out += mark_of_default;
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
                engine_names(" (default)") + "; all: run every engine and compare the answers",
                &settings.engine}},
              settings.specification.rows(),
              settings.mode.rows(),
              settings.report.format_rows(),
              settings.report.source_rows(),
              settings.report.triage_rows(),
              {{'\0', "all", "", "report every instance, not only the first of each transaction",
                &settings.all},
               {'\0', "first", "", "stop at the first violation", &settings.first},
               {'\0', "no-merge", "",
                "velodrome: a node per event outside blocks (with -e all: one more row)",
                &settings.no_merge},
               {'\0', "all-edges", "",
                "conflict-graph: keep every edge (with -e all: one more row)",
                &settings.all_edges},
               {'\0', "atomizer", "",
                "per block, over all traces: violated, and warned about by reduction",
                &settings.atomizer},
               {'\0', "no-refine", "",
                "if functions are blocks, the first instance of each transaction (default: of each "
                "function)",
                &settings.no_refine},
               {'\0', "stats", "", "print time, memory and the counters of the engine",
                &settings.stats},
               {'\0', "timeout", "SECONDS", "time limit per engine, with -e all (default: none)",
                &settings.timeout}}}),
      {"TRACE", 1, ~std::size_t{0}, &settings.traces},
      "",
  };
}

// Checks traces one after the other and writes a report for each.
class Checking {
 public:
  Checking(CheckSettings& settings, ReportOutput& out) : settings_(settings), out_(out) {}

  // Checks one trace. True if nothing new has been found so far.
  Result<bool> check(const std::string& path, const EngineEntry& engine) {
    auto opened = open_trace(path);
    if (!opened) return tl::unexpected(opened.error());
    const std::shared_ptr<EventSource> source = std::move(*opened);
    const auto spec = settings_.specification.for_trace(*source);
    if (!spec) return tl::unexpected(spec.error());
    Progress progress(path);
    CheckOptions options;
    options.look_through_silent_locks = true;
    options.mode = settings_.mode.mode();
    options.every_instance = settings_.all;
    options.first = settings_.first;
    options.refines = !settings_.no_refine;
    if (!spec->empty()) options.specification = &*spec;
    if (progress.wanted()) options.progress = [&](EventIndex done) { progress.show(done); };
    auto report = report::check_and_report(*source, path, engine, options,
                                           {settings_.report.format().pictures});
    progress.erase();
    if (!report) return tl::unexpected(report.error());
    const std::string_view format = settings_.report.format().name;
    if (format == "dot" || format == "svg") report::name_inner_blocks(*report, *source);
    settings_.specification.look_at(source->names());
    for (const std::string& warning : source->warnings()) print_warning(warning);
    for (const std::string& warning : report->warnings) {
      print_warning(fmt::format("{}: {}", support::terminal_text(path), warning));
    }
    report->with_stats = settings_.stats;
    report->peak_bytes = peak_bytes();
    if (auto added = out_.add(std::move(*report), source); !added) {
      return tl::unexpected(added.error());
    }
    return !out_.has_news();
  }

  // Checks one trace with all engines; an error if they disagree.
  Result<bool> compare(const std::string& path, std::optional<std::chrono::seconds> timeout) {
    const auto comparison =
        compare_engines(path, engines_to_compare(settings_), settings_.specification,
                        settings_.mode.mode(), timeout);
    if (!comparison) return tl::unexpected(comparison.error());
    means_.add(*comparison);
    write(*comparison);
    if (!comparison->disagreements.empty()) {
      return fail({path}, fmt::format("{}: this is a bug in Omnium, please report it",
                                      comparison->disagreements.front()));
    }
    return std::ranges::none_of(comparison->engines, [](const ComparedEngine& engine) {
      return engine.answer && engine.answer->serializable == false;
    });
  }

  // Adds one trace to the table of --atomizer. True if nothing was found in it.
  Result<bool> add_to_table(const std::string& path) {
    auto opened = open_trace(path);
    if (!opened) return tl::unexpected(opened.error());
    EventSource& source = **opened;
    const auto spec = settings_.specification.for_trace(source);
    if (!spec) return tl::unexpected(spec.error());
    const Specification* rules = spec->empty() ? nullptr : &*spec;
    CheckOptions options;
    options.mode = settings_.mode.mode();
    options.specification = rules;
    const auto outcome = check_trace(source, *find_engine(kDefaultEngine), options);
    if (!outcome) return tl::unexpected(outcome.error());
    if (auto start = source.seek(0); !start) return tl::unexpected(start.error());
    const auto trace = predict::load_trace(source, rules);
    if (!trace) return tl::unexpected(trace.error());
    predict::PredictOptions reduction;
    reduction.methods = {predict::Method::kReduction};
    reduction.waits = options.mode.waits;
    reduction.search = false;
    const auto prediction = predict::predict(*trace, reduction);
    const Names& names = source.names();
    const auto label = [&](const BlockRef& block) {
      return std::string(names.labels.name(block.label.v));
    };
    std::set<std::string> ran, violated, warned;
    for (std::uint32_t i = 0; i < outcome->runs.size(); ++i) {
      if (outcome->runs[i] > 0) ran.emplace(names.labels.name(i));
    }
    for (const Violation& it : outcome->violations) violated.insert(label(it.transaction));
    for (const predict::Warning& it : prediction.methods[0].undecided) {
      warned.insert(label(it.transaction));
    }
    table_.add(ran, violated, warned);
    return violated.empty();
  }

  // What is said after all traces.
  void write_tables() {
    if (means_.traces() > 1) write(means_);
    if (settings_.atomizer) write(table_);
  }

 private:
  template <class Table>
  void write(const Table& table) {
    if (settings_.report.format().name == "json") {
      report::render_json(table, out_.bytes());
    } else {
      report::render_text(table, out_.bytes());
    }
  }

  CheckSettings& settings_;
  ReportOutput& out_;
  report::ComparisonMeans means_;
  report::AtomizerTable table_;
};

// Returns what is wrong with the settings, or nothing.
std::optional<std::string> wrong_settings(const CheckSettings& settings) {
  if (!settings.compares() && find_engine(settings.engine) == nullptr) {
    return fmt::format("unknown engine '{}' (choose from {}, all)",
                       support::terminal_text(settings.engine), engine_names(""));
  }
  if (!settings.compares() && find_engine(settings.engine_name()) == nullptr) {
    return "--no-merge is for -e velodrome, --all-edges for -e conflict-graph";
  }
  if (settings.atomizer && (settings.engine != kDefaultEngine || settings.first)) {
    return "--atomizer has its own engines: leave -e and --first out";
  }
  if (settings.atomizer && !settings.report.format().one_by_one) {
    return "--atomizer prints a table: choose -f text or -f json";
  }
  if (settings.compares() && settings.first) {
    return "-e all shows when each engine detects the first violation: leave --first out";
  }
  if (const auto wrong = settings.mode.wrong()) return wrong;
  if (const auto wrong = settings.report.wrong()) return wrong;
  if (settings.compares() && !settings.report.format().one_by_one) {
    return "-e all prints a table: choose -f text or -f json";
  }
  if (settings.compares() && settings.report.wants_triage()) {
    return "--suppressions and --baseline cannot be combined with -e all";
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
  if (settings.compares() || settings.atomizer || !settings.report.on_terminal()) return "";
  const std::string trace = shell_word(settings.traces.front());
  if (!found) return fmt::format("Next: check other interleavings: omnium predict {}\n", trace);
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
  const EngineEntry* engine = settings.compares() ? nullptr : find_engine(settings.engine_name());
  Checking checking(settings, *out);
  bool found = false, failed = false, checked = false;
  for (const std::string& path : settings.traces) {
    const auto clean = settings.atomizer   ? checking.add_to_table(path)
                       : engine == nullptr ? checking.compare(path, timeout)
                                           : checking.check(path, *engine);
    if (clean) {
      checked = true;
      found |= !*clean;
    } else {
      failed = true;
      print_error(clean.error());
    }
  }
  if (checked) checking.write_tables();
  if (checked) {
    if (auto written = out->finish(); !written) return report_error(written.error());
  }
  if (failed) return kBadInput;
  settings.specification.warn_of_unused();
  print_out(next_step(settings, found));
  return found ? kViolation : kNothingFound;
}

}  // namespace omnium::cli
