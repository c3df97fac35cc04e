// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/run_live.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "cli/block_options.h"
#include "cli/choices.h"
#include "cli/live_check.h"
#include "cli/peak_memory.h"
#include "cli/terminal.h"
#include "cli/watched_run.h"
#include "engines/comparison.h"
#include "engines/registry.h"
#include "report/build.h"
#include "report/comparison.h"
#include "support/run_id.h"
#include "watch/supervise.h"

namespace omnium::cli {

std::vector<Option> LiveEngines::rows() {
  return {
      {'e', "engine", "NAME",
       "check by an engine of `omnium check`, outside of the program; all: by every engine and by "
       "the checker in the program, compared (default: by that alone)",
       &engine},
      {'\0', "trace", "FILE", "with -e: also write the trace here (.omt, .std or .csv)", &trace},
  };
}

std::optional<std::string> LiveEngines::wrong(const ReportOptions& report) const {
  if (engine.empty()) {
    if (!trace.empty()) return "--trace needs -e NAME (or use omnium record)";
    return std::nullopt;
  }
  if (auto wrong = wrong_choice("engine", engine, choices("run", "engine"))) return wrong;
  if (compares() && !report.one_by_one()) return "-e all writes a table: choose -f text or -f json";
  if (compares() && report.wants_triage()) {
    return "--suppressions and --baseline cannot be combined with -e all";
  }
  return std::nullopt;
}

namespace {

// The checker in the program tells which blocks are not atomic, by name.
constexpr EngineInfo kOnline{"in the program",
                             Promise::kNoFalse,
                             Promise::kNothing,
                             Promise::kNothing,
                             Promise::kNothing,
                             false,
                             false,
                             "",
                             ""};

class LiveRun {
 public:
  LiveRun(const LiveEngines& wanted, LiveOptions& live, const watch::Program& program)
      : wanted_(wanted), live_(live), program_(program) {}

  int run(CheckMode mode, std::string options) {
    LiveCheck::Settings settings;
    for (const EngineEntry& engine : all_engines()) {
      if (wanted_.compares() || engine.info.name == wanted_.engine) {
        settings.engines.push_back(&engine);
      }
    }
    settings.options.mode = mode;
    settings.options.refines = wanted_.refines && !wanted_.compares();
    settings.trace = wanted_.trace;
    auto check = LiveCheck::prepare(std::move(settings));
    if (!check) return report_error(check.error());
    if (!wanted_.compares()) add_runtime_option(options, "check", "0");
    add_runtime_option(options, "record", (*check)->log_path());
    add_runtime_option(options, "record_for", "check");
    add_runtime_option(options, "record_live", "1");
    watch::hold_signals();
    const auto started = std::chrono::steady_clock::now();
    (*check)->start();
    auto watching = live_.settings(program_.path);
    if (!wanted_.compares()) {
      watching.about_functions = "each one that is not atomic is reported once, at the end";
    }
    auto run = run_watched(program_, options, std::move(watching), live_.log());
    checked_ = (*check)->finish();
    check->reset();
    if (!run) return report_error(run.error());
    if (!run->watcher->greeted()) return complain_of_instrumentation("checked");
    run->watcher->program_ended(run->status);
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return conclude(*run, mode);
  }

 private:
  std::string name_of(const LiveChecked& checked) const {
    if (checked.process == 0) return program_.path;
    return fmt::format("{} (process {})", program_.path, checked.process);
  }

  int conclude(WatchedRun& run, CheckMode mode) {
    for (const LiveChecked& checked : checked_) {
      if (checked.error) return report_error(*checked.error);
      for (const std::string& warning : checked.source->warnings()) print_warning(warning);
      if (checked.stopped) print_warning("the end of the run was not checked: stopped by a signal");
      for (const auto& [engine, outcome] : checked.outcomes) blocks_ += outcome.counts.blocks;
    }
    const auto found = wanted_.compares() ? compare(*run.watcher, mode) : tell(*run.watcher);
    if (!found) return report_error(found.error());
    if (!*found && blocks_ == 0) {
      print_warning(
          "nothing was checked: no atomic block ran; mark blocks with OMNIUM_ATOMIC, name "
          "functions in a specification (-s), or use --blocks");
      if (wanted_.require_blocks) return kBadInput;
    }
    return *found ? kViolation : watch::exit_like(run.status);
  }

  // What one engine said, like a report of `omnium check`.
  Result<bool> tell(watch::Watcher& watcher) {
    watcher.warn_of_unused_rules();
    report::TextStyle style = live_.settings(program_.path).style;
    style.stacks = false;
    const auto mark = live_.settings(program_.path).mark;
    std::vector<report::Report> reports;
    for (LiveChecked& checked : checked_) {
      const auto& [engine, outcome] = checked.outcomes.front();
      report::Report report = report::report_outcome(*checked.source, name_of(checked), *engine,
                                                     outcome, {live_.report().pictures()});
      report.run_id = support::random_run_id();
      report.seconds = seconds_;
      report.peak_bytes = peak_bytes();
      report.with_stats = live_.with_stats();
      const bool whole = checked.source->is_complete() && !checked.stopped;
      if (!whole && report.serializable.value_or(false)) report.serializable.reset();
      report.stopped = !whole;
      mark(report);
      report::render_text(report, style, live_.log());
      reports.push_back(std::move(report));
    }
    return live_.conclude(std::move(reports));
  }

  // The answers of all engines. An error if they disagree.
  Result<bool> compare(watch::Watcher& watcher, CheckMode mode) {
    watcher.tell_rest();
    watcher.print_summary(live_.with_stats());
    watcher.warn_of_unused_rules();
    bool found = watcher.found();
    std::set<std::string> refuted;
    for (const LiveChecked& checked : checked_) {
      report::Comparison comparison{name_of(checked), mode, {}, {}};
      const Names& names = checked.source->names();
      for (const auto& [engine, outcome] : checked.outcomes) {
        ComparedEngine& row = comparison.engines.emplace_back();
        row.info = &engine->info;
        row.answer = answer_of(engine->info, outcome, names);
        row.answer->instances.clear();  // only the first of each transaction is kept
        found |= row.answer->serializable == false;
        if (engine->info.blocks != Promise::kExact) continue;
        for (const BlockRef& block : outcome.refuted) {
          if (!block.label.is_none()) refuted.emplace(names.labels.name(block.label.v));
        }
      }
      comparison.disagreements = disagreements(comparison.engines);
      add_online(comparison, watcher);
      if (auto done = live_.write(comparison); !done) return tl::unexpected(done.error());
      if (!comparison.disagreements.empty()) {
        return fail({name_of(checked)}, fmt::format("{}: this is a bug in Omnium, please report it",
                                                    comparison.disagreements.front()));
      }
    }
    compare_labels(refuted, watcher.refuted_labels());
    const auto finished = live_.conclude({});
    if (!finished) return tl::unexpected(finished.error());
    return found;
  }

  void add_online(report::Comparison& comparison, const watch::Watcher& watcher) const {
    ComparedEngine& row = comparison.engines.emplace_back();
    row.info = &kOnline;
    row.answer.emplace();
    if (watcher.found()) row.answer->serializable = false;
    row.answer->seconds = seconds_;
  }

  // Accesses that race may be seen in one order by the checker and in another one by the log.
  static void compare_labels(const std::set<std::string>& by_log,
                             const std::set<std::string>& by_program) {
    const auto say = [](std::string_view who, std::string_view label) {
      print_warning(fmt::format("only {} saw that {} is not atomic: accesses that race may be seen "
                                "in either order",
                                who, label));
    };
    for (const std::string& label : by_log) {
      if (!by_program.contains(label)) say("the log", label);
    }
    for (const std::string& label : by_program) {
      if (!by_log.contains(label)) say("the checker in the program", label);
    }
  }

  const LiveEngines& wanted_;
  LiveOptions& live_;
  const watch::Program& program_;
  std::vector<LiveChecked> checked_;
  std::uint64_t blocks_ = 0;
  double seconds_ = 0;
};

}  // namespace

int run_with_engines(const LiveEngines& wanted, LiveOptions& live, const ModeOptions& mode,
                     std::string options, const watch::Program& program) {
  return LiveRun(wanted, live, program).run(mode.mode(), std::move(options));
}

}  // namespace omnium::cli
