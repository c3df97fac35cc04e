// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/choices.h"
#include "cli/command.h"
#include "cli/mode_options.h"
#include "cli/number.h"
#include "cli/peak_memory.h"
#include "cli/progress.h"
#include "cli/report_options.h"
#include "cli/specification_options.h"
#include "cli/terminal.h"
#include "cli/trace_list.h"
#include "cli/witness_files.h"
#include "decode/open.h"
#include "engines/registry.h"
#include "predict/predict.h"
#include "report/predict_json.h"
#include "report/predict_text.h"
#include "report/words.h"
#include "support/interrupt.h"
#include "support/run_id.h"
#include "support/suggestion.h"

namespace omnium::cli {

namespace {

struct PredictSettings {
  std::string method = "commit-node";
  std::string atomicity = "conflict";
  ModeOptions mode;
  SpecificationOptions specification;
  ReportOptions report;
  std::string witness;
  std::string budget = "50M";
  bool possible = false, deadlocks = false, speculative = false, races = false, stats = false;
  TraceList traces;
};

Manual manual_of(PredictSettings& settings) {
  return {
      "predict",
      "Look for atomicity violations in other interleavings of a recorded trace.",
      "[options] TRACE...",
      "omnium predict --witness found run.omt",
      "0 nothing certain, 66 something certain (with --possible or --deadlocks also those), 2 "
      "usage "
      "or input error",
      joined(
          {{{'m', "method", "NAME", "commit-node (default), block, reduction, all",
             &settings.method},
            {'\0', "atomicity", "KIND",
             "conflict (default) or view; only for commit-node (block is always view, reduction "
             "always conflict)",
             &settings.atomicity}},
           settings.mode.waits_rows(),
           settings.specification.rows(),
           settings.report.format_rows(),
           settings.report.source_rows(),
           settings.report.triage_rows(),
           {{'\0', "possible", "", "exit with 66 also for possible findings", &settings.possible},
            {'\0', "deadlocks", "", "exit with 66 also for potential deadlocks",
             &settings.deadlocks},
            {'\0', "races", "",
             "also list data races: accesses without a common lock that could come at once",
             &settings.races},
            {'\0', "speculative", "",
             "also list what needs atomic reads to see other writes; no warnings",
             &settings.speculative}},
           {{'\0', "witness", "DIR", "write each interleaving found as a trace for `omnium check`",
             &settings.witness},
            {'\0', "budget", "EVENTS", "search budget, in events (default: 50M; 0: do not search)",
             &settings.budget},
            {'\0', "stats", "", "with -m all: also print the time and space of each method",
             &settings.stats}},
           settings.traces.rows()}),
      {"TRACE", 0, ~std::size_t{0}, &settings.traces.words()},
      "certain: the program can do this, if it is deterministic but for its schedule.\n"
      "possible: a plain read sees another value in it, so the program might not do it.\n",
  };
}

// Turns the settings into options. A value means wrong usage and is the exit status.
std::optional<int> options_of(const Manual& manual, const PredictSettings& settings,
                              predict::PredictOptions& options) {
  const auto wrong = [&](std::string_view what, std::string_view value) {
    return usage_error(manual, support::unknown(what, value, choices("predict", what)));
  };
  if (settings.method == "all") {
    options.methods.assign(std::begin(predict::kAllMethods), std::end(predict::kAllMethods));
  } else if (const auto method = predict::find_method(settings.method)) {
    options.methods = {*method};
  } else {
    return wrong("method", settings.method);
  }
  const auto atomicity = predict::find_atomicity(settings.atomicity);
  if (!atomicity) return wrong("atomicity", settings.atomicity);
  options.atomicity = *atomicity;
  if (const auto message = settings.report.wrong()) return usage_error(manual, *message);
  if (const auto message = settings.mode.wrong()) return usage_error(manual, *message);
  options.waits = settings.mode.mode().waits;
  if (settings.method == "all" && settings.report.wants_triage()) {
    return usage_error(manual, "--suppressions and --baseline cannot be combined with -m all");
  }
  const auto budget = parse_count(settings.budget);
  if (!budget) return usage_error(manual, "--budget needs a number of events, such as 50M");
  options.budget = *budget;
  options.search = *budget > 0;
  options.speculative = settings.speculative;
  options.races = settings.races;
  if (const auto message = settings.traces.wrong()) return usage_error(manual, *message);
  options.is_over = support::is_interrupted;
  return std::nullopt;
}

// Does something count that nobody knew about?
bool is_failure(const PredictSettings& settings, const report::PredictReport& report) {
  const auto counts = [&](bool certain) { return certain || settings.possible; };
  const auto is_news = [&](const report::Cause& cause) {
    return cause.marks.news() && counts(cause.status == report::Status::kCertain);
  };
  const auto is_warned = [&](const predict::Warning& warning) {
    return counts(warning.grade == predict::Grade::kCertain);
  };
  // With several methods nothing is marked as known.
  const auto& others = report.prediction.methods;
  return std::ranges::any_of(report.findings.causes, is_news) ||
         (settings.deadlocks && !report.prediction.deadlocks.cycles.empty()) ||
         (report.all() && std::ranges::any_of(others, [&](const predict::MethodResult& result) {
            return std::ranges::any_of(result.warnings, is_warned);
          }));
}

Result<void> write_report(report::PredictReport report, std::shared_ptr<const void> source,
                          ReportOutput& out) {
  const auto own = [&](const ReportOutput::Place& place) -> Result<bool> {
    if (place.format.name == "json") {
      report::render_predict_json(report, place.bytes);
    } else if (place.format.name == "text") {
      auto done = place.format.render({&report.findings, 1}, place.options, place.bytes);
      if (!done) return tl::unexpected(done.error());
      report::render_predict_notes(report, place.options.text, place.bytes);
    } else {
      return false;
    }
    return true;
  };
  using Names = std::pair<std::shared_ptr<const void>, std::deque<omnium::Names>>;
  auto names = std::make_shared<Names>(std::move(source), std::move(report.names_of_causes));
  return out.add_marked(report.findings, std::move(names), own);
}

std::string check_command(const predict::PredictOptions& options) {
  return options.waits == Waits::kSplit ? "omnium check " : "omnium check --waits keep ";
}

report::PredictContext context_of(const PredictSettings& settings, const std::string& path,
                                  const EventSource& source,
                                  const predict::PredictOptions& options) {
  return {path,
          check_command(options) + shell_word(path),
          source.warnings(),
          options.waits,
          options.speculative,
          options.races,
          settings.stats,
          settings.report.pictures()};
}

// A method that was cut off and found nothing has not said anything.
bool has_verdict(const predict::Prediction& prediction) {
  return std::ranges::all_of(prediction.methods, &predict::MethodResult::complete) ||
         std::ranges::any_of(prediction.methods, [](const predict::MethodResult& result) {
           return !result.warnings.empty() || !result.undecided.empty();
         });
}

struct Outcome {
  bool counts = false;  // something was found for which the exit status is not 0
  bool found = false;
  bool stopped = false;  // by the user, before everything was tried
};

// What was predicted of one trace, with everything that the report refers to.
struct OnePrediction {
  std::shared_ptr<EventSource> source;
  predict::LoadedTrace trace;
  predict::Prediction prediction;
  std::optional<report::PredictReport> report;
};

// Predicts; several threads may do that at once. `line` is for one that is alone.
Result<std::unique_ptr<OnePrediction>> predict_one(const PredictSettings& settings,
                                                   const std::string& path,
                                                   const predict::PredictOptions& options,
                                                   ProgressLine* line) {
  auto out = std::make_unique<OnePrediction>();
  const auto meter = std::make_shared<Meter>();
  auto opened = line != nullptr ? open_metered(path, meter) : open_trace(path);
  if (!opened) return tl::unexpected(opened.error());
  out->source = std::move(*opened);
  const auto spec = settings.specification.for_trace(*out->source);
  if (!spec) return tl::unexpected(spec.error());
  out->source->want_locations(true);
  const Specification* rules = spec->empty() ? nullptr : &*spec;
  std::optional<ShownSource> shown;
  if (line != nullptr) shown.emplace(*out->source, *line, *meter);
  EventSource& source = shown ? static_cast<EventSource&>(*shown) : *out->source;
  auto trace = predict::load_trace(source, rules);
  if (line != nullptr) line->erase();
  if (!trace) return tl::unexpected(trace.error());
  out->trace = std::move(*trace);
  const support::Interruptible interruptible;
  const auto started = std::chrono::steady_clock::now();
  out->prediction = predict::predict(out->trace, options);
  out->report.emplace(report::predict_report(out->prediction, out->trace, out->source->names(),
                                             context_of(settings, path, *out->source, options)));
  report::Report& findings = out->report->findings;
  findings.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  findings.run_id = support::run_id_of_file(path);
  return out;
}

// Reports what was predicted.
Result<Outcome> add(PredictSettings& settings, const std::string& path, OnePrediction& one,
                    ReportOutput& out) {
  settings.specification.look_at(one.source->names());
  for (const std::string& warning : one.source->warnings()) print_warning(warning);
  report::PredictReport& report = *one.report;
  if (!settings.witness.empty()) {
    auto written =
        write_witnesses(settings.witness, one.prediction, one.trace, one.source->names());
    if (!written) return tl::unexpected(written.error());
    report.witnesses = std::move(*written);
  }
  report.findings.peak_bytes = peak_bytes();
  report.findings.stopped = support::is_interrupted();
  out.mark(report.findings);
  const Outcome outcome{is_failure(settings, report), !report.findings.causes.empty(),
                        report.findings.stopped};
  if (auto written = write_report(std::move(report), one.source, out); !written) {
    return tl::unexpected(written.error());
  }
  if (!has_verdict(one.prediction)) {
    return fail({path}, "no verdict: gave up before all pairs were compared");
  }
  return outcome;
}

// The user stopped everything before this trace: results of other runs may have it.
Result<void> add_unread(const PredictSettings& settings, const std::string& path, Waits waits,
                        ReportOutput& out) {
  const auto destinations = settings.report.destinations();
  const auto is_text = [](const auto& to) { return to.format->name == "text"; };
  if (std::ranges::all_of(destinations, is_text)) return {};
  report::Report report;
  report.path = path;
  report.run_id = support::run_id_of_file(path);
  report.engine = &find_engine(kDefaultEngine)->info;
  report.mode = {Conflicts::kData, waits};
  report.predicted = {false, {}};
  report.stopped = true;
  return out.add(std::move(report), nullptr);
}

}  // namespace

int run_predict(const Arguments& arguments) {
  PredictSettings settings;
  const Manual manual = manual_of(settings);
  if (const auto status = parse(manual, arguments)) return *status;
  predict::PredictOptions options;
  if (const auto status = options_of(manual, settings, options)) return *status;
  const auto traces = settings.traces.all(manual);
  if (!traces) return traces.error();
  if (!settings.witness.empty() && traces->size() > 1) {
    return usage_error(manual, "--witness needs one trace: interleavings are named by its events");
  }
  if (auto read = settings.specification.read(); !read) return report_error(read.error());
  auto out = ReportOutput::open(settings.report);
  if (!out) return report_error(out.error());
  std::vector<Result<std::unique_ptr<OnePrediction>>> predicted(traces->size());
  Outcome all;
  std::size_t unread = 0;
  bool failed = false, any = traces->empty();
  const std::size_t jobs = settings.traces.jobs(traces->size());
  const auto work = [&](std::size_t i) {
    if (support::is_interrupted()) return;
    ProgressLine line((*traces)[i]);
    const bool shows = jobs == 1 && line.wanted();
    predicted[i] = predict_one(settings, (*traces)[i], options, shows ? &line : nullptr);
  };
  in_order(traces->size(), jobs, work, [&](std::size_t i) {
    auto one = std::exchange(predicted[i], nullptr);
    if (one && *one == nullptr) {  // the user stopped everything before
      all.stopped = any = true;
      ++unread;
      const auto added = add_unread(settings, (*traces)[i], options.waits, *out);
      if (!added) print_error(added.error());
      failed |= !added;
      return;
    }
    const auto outcome = one ? add(settings, (*traces)[i], **one, *out)
                             : Result<Outcome>(tl::unexpected(one.error()));
    if (outcome) {
      any = true;
      all.counts |= outcome->counts;
      all.found |= outcome->found;
      all.stopped |= outcome->stopped;
    } else {
      failed = true;
      print_error(outcome.error());
    }
  });
  if (any) {
    if (auto written = out->finish(); !written) return report_error(written.error());
  }
  if (unread > 0) {
    print_warning(fmt::format("stopped: {} not looked at", report::count_of(unread, "trace")));
  }
  if (failed) return kBadInput;
  if (all.stopped) return all.counts ? kViolation : kInterrupted;
  settings.specification.warn_of_unused();
  if (all.found && settings.report.on_terminal()) {
    print_out(fmt::format("Next: make it happen: {}\n", kHuntLine));
  }
  return all.counts ? kViolation : kNothingFound;
}

}  // namespace omnium::cli
