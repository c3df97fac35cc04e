// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "cli/advised.h"
#include "cli/command.h"
#include "cli/live_options.h"
#include "cli/mode_options.h"
#include "cli/number.h"
#include "cli/run_live.h"
#include "cli/sample_options.h"
#include "cli/terminal.h"
#include "cli/watched_run.h"
#include "cli/written_specification.h"
#include "watch/program.h"
#include "watch/supervise.h"

namespace omnium::cli {

namespace {

Result<void> write_refuted(const std::string& path, LiveOptions& live,
                           const watch::Watcher& watcher) {
  std::vector<NotAtomic> blocks;
  for (const std::string& label : watcher.refuted_labels()) blocks.push_back({label, ""});
  return write_specification(path, live.blocks().spec_file(), "omnium run", blocks);
}

// How often the program is run, how its threads are delayed, and which blocks are judged.
struct Repetition {
  std::uint64_t times = 1;
  std::optional<std::uint64_t> seed;    // of the first run; none: they are not
  std::optional<std::uint64_t> sample;  // the seed of the choice in the first run; none: all are
};

// Runs the program until something happens.
Result<WatchedRun> run_until_found(LiveOptions& live, const std::string& options,
                                   const watch::Program& program, const Repetition& repetition) {
  for (std::uint64_t i = 0;; ++i) {
    std::string these = options;
    if (repetition.seed) {
      add_runtime_option(these, "perturb", std::to_string(*repetition.seed + i));
    }
    if (repetition.sample) {
      add_runtime_option(these, "sample_seed", std::to_string(*repetition.sample + i));
    }
    watch::WatchSettings settings = live.settings(program.path);
    if (i > 0) settings.about_functions.clear();  // told once
    auto run = run_watched(program, these, std::move(settings), live.log());
    const bool happened =
        !run || !run->watcher->greeted() || run->watcher->found() || run->status != 0;
    if (happened && repetition.times > 1) {
      print_note(
          fmt::format("this is run {}{}", i + 1,
                      repetition.seed ? fmt::format(": --perturb {}", *repetition.seed + i) : ""));
    }
    if (happened || i + 1 == repetition.times) return run;
  }
}

struct Wishes {
  std::string write_spec;  // file; empty: none
  bool require_blocks = false;
  Repetition repetition;
};

// Did no atomic block run? That is said already.
bool nothing_was_checked(const watch::Watcher& watcher) {
  const auto counts = watcher.report().run;
  return !watcher.found() && counts && counts->blocks == 0;
}

int run_program(LiveOptions& live, const std::string& options, const watch::Program& program,
                const Wishes& wishes) {
  const auto started = std::chrono::steady_clock::now();
  const auto run = run_until_found(live, options, program, wishes.repetition);
  if (!run) return report_error(run.error());
  if (!run->watcher->greeted()) return complain_of_instrumentation("checked");
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
  run->watcher->program_ended(run->status);
  const auto found = live.conclude(*run->watcher, seconds.count());
  if (!found) return report_error(found.error());
  if (!wishes.write_spec.empty()) {
    if (auto done = write_refuted(wishes.write_spec, live, *run->watcher); !done) {
      return report_error(done.error());
    }
  }
  if (wishes.require_blocks && nothing_was_checked(*run->watcher)) {
    print_error("no atomic block ran, and --require-blocks asks for one");
    return kBadInput;
  }
  return *found ? kViolation : watch::exit_like(run->status);
}

// What engines outside of the program cannot do; none: they can.
std::optional<std::string> wrong_with_engines(bool halts, const std::string& repeat,
                                              const Wishes& wishes, const SampleOptions& sample) {
  if (halts || repeat != "1" || !wishes.write_spec.empty()) {
    return "-e cannot be combined with --halt-on-error, --repeat and --write-spec";
  }
  if (sample.wanted()) return "--sample is of the checker in the program: leave -e out";
  return std::nullopt;
}

}  // namespace

int run_run(const Arguments& arguments) {
  LiveOptions live;
  bool halt_on_error = false, no_refine = false;
  Wishes wishes;
  std::string perturb, repeat = "1";
  ModeOptions mode;
  LiveEngines engines;
  SampleOptions sample;
  std::vector<Option> rows = joined(
      {engines.rows(),
       live.rows(),
       {{'\0', "halt-on-error", "", "stop the program at the first violation", &halt_on_error},
        {'\0', "no-refine", "",
         "keep a function that was not atomic as a block (default: report it once)", &no_refine},
        {'\0', "perturb", "SEED",
         "delay threads at random, so that they meet where they rarely do; SEED is a number",
         &perturb},
        {'\0', "repeat", "N",
         "run it up to N times, until something happens (with --perturb: one seed after the other)",
         &repeat},
        {'\0', "require-blocks", "", "exit with 2 if no atomic block ran: nothing was checked",
         &wishes.require_blocks},
        {'\0', "write-spec", "FILE",
         "write a specification without the blocks that were not atomic", &wishes.write_spec}},
       sample.rows(), mode.rows()});
  const Manual manual{
      "run",
      "Run a program built with `omnium cc` or `omnium c++` and check it.",
      "[options] -- PROGRAM [ARGUMENT...]",
      "omnium run -s bank.spec -f json -o report.json -- ./bank 8",
      "66 violation found, 2 usage or input error, otherwise the program's own",
      std::move(rows),
      {},
      "Findings are printed as they happen. SIGUSR1 prints a summary of the findings so\n"
      "far. OMNIUM_OPTIONS=help=1 lists the options of the runtime.\n",
  };
  Arguments options = arguments;
  Arguments command = take_program(manual, options);
  if (const auto status = parse(manual, options)) return *status;
  if (const auto wrong = live.wrong()) return usage_error(manual, *wrong);
  if (const auto wrong = mode.wrong()) return usage_error(manual, *wrong);
  if (const auto wrong = engines.wrong(live.report())) return usage_error(manual, *wrong);
  if (const auto wrong = sample.wrong()) return usage_error(manual, *wrong);
  if (command.empty()) return usage_error(manual, "missing argument: PROGRAM");
  if (!engines.engine.empty()) {
    const auto wrong = wrong_with_engines(halt_on_error, repeat, wishes, sample);
    if (wrong) return usage_error(manual, *wrong);
  }
  Repetition& repetition = wishes.repetition;
  if (!perturb.empty()) {
    repetition.seed = parse_count(perturb);
    if (!repetition.seed) return usage_error(manual, "--perturb needs a number");
  }
  repetition.times = parse_count(repeat).value_or(0);
  if (repetition.times == 0) return usage_error(manual, "--repeat needs a number");
  const std::string name = command.front();
  const auto program = watch::find_program(std::move(command));
  if (!program) return report_error(advised(program.error(), name, FileKind::kProgram));
  auto passed = live.blocks().for_runtime();
  if (!passed) return report_error(passed.error());
  mode.add_for_runtime(*passed);
  repetition.sample = sample.add_for_runtime(*passed);
  if (no_refine) add_runtime_option(*passed, "refine", "0");
  if (halt_on_error) add_runtime_option(*passed, "halt_on_error", "1");
  if (auto ready = live.prepare(); !ready) return report_error(ready.error());
  if (engines.engine.empty()) return run_program(live, *passed, *program, wishes);
  if (repetition.seed) add_runtime_option(*passed, "perturb", std::to_string(*repetition.seed));
  engines.refines = !no_refine;
  engines.require_blocks = wishes.require_blocks;
  return run_with_engines(engines, live, mode, *passed, *program);
}

}  // namespace omnium::cli
