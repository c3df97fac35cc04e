// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "cli/choices.h"
#include "cli/command.h"
#include "cli/compare.h"
#include "cli/mode_options.h"
#include "cli/number.h"
#include "cli/peak_memory.h"
#include "cli/progress.h"
#include "cli/report_options.h"
#include "cli/slurm.h"
#include "cli/specification_options.h"
#include "cli/stoppable_source.h"
#include "cli/terminal.h"
#include "cli/trace_list.h"
#include "decode/open.h"
#include "engines/checker.h"
#include "engines/registry.h"
#include "predict/predict.h"
#include "report/atomizer.h"
#include "report/build.h"
#include "report/comparison.h"
#include "report/inner_blocks.h"
#include "report/words.h"
#include "support/display.h"
#include "support/run_id.h"
#include "trace/input.h"

namespace omnium::cli {

namespace {

constexpr std::string_view kAllEngines = "all";

struct CheckSettings {
  std::string engine{kDefaultEngine};
  SpecificationOptions specification;
  ModeOptions mode;
  ReportOptions report;
  std::string timeout;
  bool all = false, stats = false, no_refine = false, first = false, require_blocks = false;
  bool no_merge = false, all_edges = false, atomizer = false;
  TraceList traces;
  SlurmOptions slurm;

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
      joined(
          {{{'e', "engine", "NAME",
             engine_names() + "; all: run every engine and compare the answers", &settings.engine}},
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
            {'\0', "all-edges", "", "conflict-graph: keep every edge (with -e all: one more row)",
             &settings.all_edges},
            {'\0', "atomizer", "",
             "per block, over all traces: violated, and warned about by reduction",
             &settings.atomizer},
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
             &settings.timeout}},
           settings.traces.rows(),
           settings.slurm.rows()}),
      {"TRACE", 0, ~std::size_t{0}, &settings.traces.words()},
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

// A trace that was checked.
struct Checked {
  std::shared_ptr<StoppableSource> source;  // owns the names in the report
  Result<report::Report> report = fail({}, "");
  bool begun = false;  // false: the user stopped everything before
};

// Checks traces and writes a report for each.
class Checking {
 public:
  Checking(CheckSettings& settings, ReportOutput& out)
      : settings_(settings), out_(out), pictures_(settings.report.pictures()) {
    for (const ReportOptions::Destination& to : settings.report.destinations()) {
      tells_run_ids_ |= to.format->name != "text";
      draws_ |= to.format->name == "dot" || to.format->name == "svg";
    }
  }

  // As open_trace(). A file that is read at once anyway is not read again for its id.
  static Result<std::unique_ptr<EventSource>> open_small(const std::string& path,
                                                         std::string& run_id) {
    auto input = trace::open_input(path);
    if (!input) return tl::unexpected(input.error());
    const std::string_view whole = (*input)->whole();
    if (!whole.empty() && path != "-") run_id = support::run_id_of_content(whole);
    return open_trace(std::move(*input));
  }

  // Checks one trace; several threads may do that at once. `alone`: progress may be shown.
  Checked check(const std::string& path, const EngineEntry& engine, bool alone) const {
    Checked out;
    ProgressLine line(path);
    const bool shows = alone && line.wanted();
    const auto meter = shows ? std::make_shared<Meter>() : nullptr;
    std::string run_id;  // not found out yet
    auto opened = shows ? open_metered(path, meter) : open_small(path, run_id);
    out.begun = true;
    if (!opened) {
      out.report = tl::unexpected(opened.error());
      return out;
    }
    out.source = std::make_shared<StoppableSource>(std::move(*opened));
    if (auto later = out.source->want_variable_names(false); !later) {
      out.report = tl::unexpected(later.error());
      return out;
    }
    const auto spec = settings_.specification.for_trace(*out.source);
    if (!spec) {
      out.report = tl::unexpected(spec.error());
      return out;
    }
    CheckOptions options;
    options.look_through_silent_locks = true;
    options.mode = settings_.mode.mode();
    options.every_instance = settings_.all;
    options.first = settings_.first;
    options.refines = !settings_.no_refine;
    options.reads_ahead = alone && settings_.traces.may_read_ahead();
    if (!spec->empty()) options.specification = &*spec;
    if (shows) {
      options.progress = [&](EventIndex done) { line.show_events(done, *meter); };
    }
    out.report = report::check_and_report(*out.source, path, engine, options, {pictures_});
    line.erase();
    if (out.report && tells_run_ids_) {
      out.report->run_id = run_id.empty() ? support::run_id_of_file(path) : std::move(run_id);
    }
    if (out.report && draws_) {
      report::name_inner_blocks(*out.report, *out.source);
    }
    return out;
  }

  // The user stopped everything before this trace: results of other runs may have it.
  Result<bool> add_unread(const std::string& path, const EngineEntry& engine) {
    ++unread_;
    if (!tells_run_ids_) return true;
    report::Report report;
    report.path = path;
    report.run_id = support::run_id_of_file(path);
    report.engine = &engine.info;
    report.mode = settings_.mode.mode();
    report.stopped = true;
    if (auto added = out_.add(std::move(report), nullptr); !added) {
      return tl::unexpected(added.error());
    }
    return true;
  }

  // Writes what was found. True if nothing new has been found so far.
  Result<bool> add(const std::string& path, Checked checked) {
    if (!checked.report) return tl::unexpected(checked.report.error());
    report::Report& report = *checked.report;
    settings_.specification.look_at(checked.source->names());
    for (const std::string& warning : checked.source->warnings()) print_warning(warning);
    for (const std::string& warning : report.warnings) {
      print_warning(fmt::format("{}: {}", support::terminal_text(path), warning));
    }
    report.with_stats = settings_.stats;
    if (checked.source->stopped()) {
      stopped_ = true;
      mark_as_stopped(report);
    }
    blocks_ += judged_blocks(report);
    if (report.counts.events == 0) {
      print_warning(fmt::format("{}: the trace is empty", support::terminal_text(path)));
    }
    report.peak_bytes = peak_after(report.counts.events);
    if (auto added = out_.add(std::move(report), checked.source); !added) {
      return tl::unexpected(added.error());
    }
    return !out_.has_news();
  }

  // So far.
  std::uint64_t blocks() const { return blocks_; }
  std::size_t unread() const { return unread_; }
  bool stopped() const { return stopped_; }

  // Checks one trace with all engines; an error if they disagree.
  Result<bool> compare(const std::string& path, std::optional<std::chrono::seconds> timeout) {
    const auto comparison =
        compare_engines(path, engines_to_compare(settings_), settings_.specification,
                        settings_.mode.mode(), timeout);
    if (!comparison) return tl::unexpected(comparison.error());
    means_.add(*comparison);
    if (auto written = write(*comparison); !written) return tl::unexpected(written.error());
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
  Result<void> write_tables() {
    if (means_.traces() > 1) return write(means_);
    return settings_.atomizer ? write(table_) : Result<void>();
  }

 private:
  template <class Table>
  Result<void> write(const Table& table) {
    return out_.write([&](const ReportOutput::Place& place) -> Result<bool> {
      if (place.format.name == "json") {
        report::render_json(table, place.bytes);
      } else {
        report::render_text(table, place.bytes);
      }
      return true;
    });
  }

  // Of the process. After a small trace it is the same as before, or nearly so, and to ask the
  // system takes as long as to read 40 events.
  std::uint64_t peak_after(std::uint64_t events) {
    constexpr std::uint64_t kEventsBetweenLooks = 1 << 16;
    events_since_look_ += events;
    if (peak_ == 0 || events_since_look_ >= kEventsBetweenLooks) {
      peak_ = peak_bytes();
      events_since_look_ = 0;
    }
    return peak_;
  }

  // A part of a trace says nothing of the rest, unless it is wrong by itself.
  static void mark_as_stopped(report::Report& report) {
    report.stopped = true;
    if (report.serializable.value_or(false)) report.serializable.reset();
    print_warning(fmt::format("{}: stopped after {}", support::terminal_text(report.path),
                              report::count_of(report.counts.events, "event")));
  }

  CheckSettings& settings_;
  ReportOutput& out_;
  // Of the formats that are wanted. Text does not tell the ids of runs, and they may cost a second
  // look at each file.
  std::size_t pictures_;
  bool tells_run_ids_ = false, draws_ = false;
  report::ComparisonMeans means_;
  report::AtomizerTable table_;
  std::uint64_t blocks_ = 0;
  std::uint64_t peak_ = 0, events_since_look_ = 0;  // of memory
  std::size_t unread_ = 0;                          // traces
  bool stopped_ = false;                            // by the user, in the middle of a trace
};

// Returns what is wrong with the settings, or nothing.
std::optional<std::string> wrong_settings(const CheckSettings& settings) {
  if (const auto wrong = wrong_choice("engine", settings.engine, choices("check", "engine"))) {
    return wrong;
  }
  if (!settings.compares() && find_engine(settings.engine_name()) == nullptr) {
    return "--no-merge is for -e velodrome, --all-edges for -e conflict-graph";
  }
  if (settings.atomizer && (settings.engine != kDefaultEngine || settings.first)) {
    return "--atomizer has its own engines: leave -e and --first out";
  }
  if (settings.atomizer && !settings.report.one_by_one()) {
    return "--atomizer prints a table: choose -f text or -f json";
  }
  if (settings.compares() && settings.first) {
    return "-e all shows when each engine detects the first violation: leave --first out";
  }
  if (const auto wrong = settings.mode.wrong()) return wrong;
  if (const auto wrong = settings.report.wrong()) return wrong;
  if (const auto wrong = settings.traces.wrong()) return wrong;
  if (settings.compares() && !settings.report.one_by_one()) {
    return "-e all prints a table: choose -f text or -f json";
  }
  if (settings.compares() && settings.report.wants_triage()) {
    return "--suppressions and --baseline cannot be combined with -e all";
  }
  if ((settings.compares() || settings.atomizer) && settings.require_blocks) {
    return "--require-blocks cannot be combined with -e all and --atomizer";
  }
  if (!settings.compares() && !settings.timeout.empty()) {
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
std::string next_step(const CheckSettings& settings, const Arguments& traces, bool found) {
  if (settings.compares() || settings.atomizer || !settings.report.on_terminal()) return "";
  if (traces.empty()) return "";
  const std::string trace = shell_word(traces.front());
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
  if (settings.slurm.wanted()) {
    return settings.slurm.submit(manual, {arguments, {}, settings.report});
  }
  const auto traces = settings.traces.all(manual);
  if (!traces) return traces.error();
  if (auto read = settings.specification.read(); !read) return report_error(read.error());
  auto out = ReportOutput::open(settings.report);
  if (!out) return report_error(out.error());
  std::optional<std::chrono::seconds> timeout;
  if (!settings.timeout.empty()) timeout.emplace(*parse_count(settings.timeout));
  const EngineEntry* engine = settings.compares() ? nullptr : find_engine(settings.engine_name());
  Checking checking(settings, *out);
  // Comparing engines needs processes of its own, one after the other.
  const bool checks = engine != nullptr && !settings.atomizer;
  const std::size_t jobs = checks ? settings.traces.jobs(traces->size()) : 1;
  std::vector<Checked> checked(traces->size());
  bool found = false, failed = false, any = traces->empty(), stopped = false;
  const auto work = [&](std::size_t i) {
    if (!checks || support::is_interrupted()) return;
    checked[i] = checking.check((*traces)[i], *engine, jobs == 1);
  };
  in_order(traces->size(), jobs, work, [&](std::size_t i) {
    const std::string& path = (*traces)[i];
    stopped |= checks ? !checked[i].begun : support::is_interrupted();
    if (stopped && !checks) return;
    const auto clean = settings.atomizer ? checking.add_to_table(path)
                       : !checks         ? checking.compare(path, timeout)
                       : !checked[i].begun
                           ? checking.add_unread(path, *engine)
                           : checking.add(path, std::exchange(checked[i], Checked()));
    if (clean) {
      any = true;
      found |= !*clean;
    } else {
      failed = true;
      print_error(clean.error());
    }
  });
  if (any) {
    if (auto tables = checking.write_tables(); !tables) return report_error(tables.error());
    if (auto written = out->finish(); !written) return report_error(written.error());
  }
  if (checking.unread() > 0) {
    print_warning(
        fmt::format("stopped: {} not checked", report::count_of(checking.unread(), "trace")));
  }
  if (failed) return kBadInput;
  if (stopped || checking.stopped()) return found ? kViolation : kInterrupted;
  if (settings.require_blocks && checking.blocks() == 0) {
    print_error("nothing was checked: no atomic block is in the traces");
    return kBadInput;
  }
  settings.specification.warn_of_unused();
  print_out(next_step(settings, *traces, found));
  return found ? kViolation : kNothingFound;
}

}  // namespace omnium::cli
