// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/block_options.h"
#include "cli/command.h"
#include "cli/live_options.h"
#include "cli/number.h"
#include "cli/terminal.h"
#include "cli/watched_run.h"
#include "hunt/schedule_file.h"
#include "report/findings.h"
#include "watch/supervise.h"

namespace omnium::cli {

namespace {

struct ReplaySettings {
  std::string times = "1";
  bool gdb = false;
  LiveOptions live;
};

Manual manual_of(ReplaySettings& settings) {
  return {
      "replay",
      "Run a program again in the way that `omnium hunt` found.",
      "[options] FILE [-- PROGRAM [ARGUMENT...]]",
      "omnium replay av-7f37ba42.omh",
      "66 it happened again, 0 it did not, 2 usage or input error",
      joined({{{'\0', "times", "N", "run it so often (default: 1)", &settings.times},
               {'\0', "gdb", "", "start it in gdb", &settings.gdb}},
              settings.live.rows()}),
      {},
      "FILE names the program and what was checked. After a fix this is a regression\n"
      "test: exit status 0 means that it does not happen any more. Steps are known by\n"
      "their addresses: if the program was rebuilt since, a note says so.\n",
  };
}

// How the run is steered.
std::string options_of(const hunt::ScheduleFile& schedule, std::string options,
                       const std::string& path) {
  if (!schedule.steps.empty()) {
    add_runtime_option(options, "steer", std::filesystem::absolute(path).string());
  }
  if (!schedule.perturb.empty()) add_runtime_option(options, "perturb", schedule.perturb);
  if (!schedule.pause.empty()) add_runtime_option(options, "pause", schedule.pause);
  return options;
}

[[noreturn]] void start_gdb(const watch::Program& program, const std::string& options) {
  const std::string assignment = fmt::format("set environment {} {}", kOptionsVariable, options);
  std::vector<std::string> words = {"gdb", "-ex", assignment, "--args", program.path};
  words.insert(words.end(), program.arguments.begin() + 1, program.arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execvp("gdb", pointers.data());
  print_error("gdb cannot be started");
  ::_exit(kBadInput);
}

struct Outcome {
  std::uint64_t again = 0;    // the cause that the schedule is about
  std::uint64_t other = 0;    // another violation, or the program failed
  std::uint64_t reached = 0;  // all steps happened
};

Result<Outcome> run_often(ReplaySettings& settings, const hunt::ScheduleFile& schedule,
                          const watch::Program& program, const std::string& options,
                          std::uint64_t times) {
  Outcome out;
  for (std::uint64_t i = 0; i < times; ++i) {
    const auto run =
        run_watched(program, options, settings.live.settings(program.path), settings.live.log());
    if (!run) return tl::unexpected(run.error());
    if (!run->watcher->greeted()) {
      return fail({program.path}, "is not instrumented: build it with `omnium c++`");
    }
    const report::Report report = run->watcher->report();
    const bool again = report::has_cause(report, schedule.cause);
    out.again += again;
    out.other += !again && (run->watcher->found() || run->status != 0);
    out.reached += run->channel->counters().steered_to_end > 0;
  }
  return out;
}

void tell(const hunt::ScheduleFile& schedule, const Outcome& outcome, std::uint64_t times,
          support::ByteSink& log) {
  if (outcome.again + outcome.other == 0) {
    const bool reached = schedule.steps.empty() || outcome.reached > 0;
    log.write(fmt::format("{}: {}\n", schedule.cause,
                          reached ? "does not happen any more"
                                  : "cannot be reached any more: its steps did not all come"));
    return;
  }
  log.write(fmt::format("{}: happened in {} of {} runs\n", schedule.cause, outcome.again, times));
  if (outcome.other > 0) {
    log.write(fmt::format("something else happened in {} of {} runs\n", outcome.other, times));
  }
}

}  // namespace

int run_replay(const Arguments& arguments) {
  ReplaySettings settings;
  Arguments files;
  Manual manual = manual_of(settings);
  manual.positionals = {"FILE", 1, 1, &files};
  Arguments words = arguments;
  Arguments command;
  if (const auto dashes = std::ranges::find(words, "--"); dashes != words.end()) {
    command.assign(dashes + 1, words.end());
    words.erase(dashes, words.end());
  }
  if (const auto status = parse(manual, words)) return *status;
  if (const auto wrong = settings.live.wrong()) return usage_error(manual, *wrong);
  const auto times = parse_count(settings.times);
  if (!times || *times == 0) return usage_error(manual, "--times needs a number");
  const auto schedule = hunt::read_schedule(files.front());
  if (!schedule) return report_error(schedule.error());
  const auto program = watch::find_program(command.empty() ? schedule->command : command);
  if (!program) return report_error(program.error());
  const std::string now = hunt::build_of(program->path);
  if (now != schedule->build) {
    print_note(fmt::format("{} was rebuilt since: steps may be elsewhere now",
                           printable(program->path, 4096)));
  }
  // What was checked then is checked now, unless options say something else.
  ::setenv(kOptionsVariable, schedule->options.c_str(), 1);
  const auto passed = settings.live.blocks().for_runtime();
  if (!passed) return report_error(passed.error());
  const std::string options = options_of(*schedule, *passed, files.front());
  if (settings.gdb) start_gdb(*program, options);
  if (auto ready = settings.live.prepare(); !ready) return report_error(ready.error());
  const auto outcome = run_often(settings, *schedule, *program, options, *times);
  if (!outcome) return report_error(outcome.error());
  tell(*schedule, *outcome, *times, settings.live.log());
  return outcome->again + outcome->other > 0 ? kViolation : kNothingFound;
}

}  // namespace omnium::cli
