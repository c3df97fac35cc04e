// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ctime>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/advised.h"
#include "cli/block_options.h"
#include "cli/choices.h"
#include "cli/command.h"
#include "cli/hunting.h"
#include "cli/live_options.h"
#include "cli/mode_options.h"
#include "cli/number.h"
#include "cli/slurm.h"
#include "cli/terminal.h"
#include "hunt/environment.h"

namespace omnium::cli {

namespace {

constexpr char kDefaultSeconds[] = "60";

struct HuntOptions {
  LiveOptions live;
  ModeOptions mode;
  SlurmOptions slurm;
  std::string time = kDefaultSeconds, runs = "0", way = "all", clock = "real", save, corpus,
              shard = "1/1";
  Arguments environment;
};

Manual manual_of(HuntOptions& options) {
  return {
      "hunt",
      "Make violations happen: run a program again and again, in other interleavings.",
      "[options] -- PROGRAM [ARGUMENT...]",
      "omnium hunt --time 30 -- ./bank 8",
      "66 something happened, 0 nothing did, 2 usage or input error",
      joined({{{'\0', "time", "SECONDS", "stop after so long (default: 60)", &options.time},
               {'\0', "runs", "N", "stop after so many runs (default: no limit)", &options.runs},
               {'\0', "way", "NAME",
                "steer: what a recording predicts, and accesses turned round; pause: wait where a "
                "block may stop being atomic; noise: random delays; serial: one thread at a time; "
                "all (default)",
                &options.way},
               {'\0', "clock", "NAME",
                "of serial runs: virtual: when nothing can run, time jumps to the next deadline; "
                "real (default)",
                &options.clock},
               {'\0', "save", "DIR", "write schedules for `omnium replay` here (default: .)",
                &options.save},
               {'\0', "corpus", "DIR",
                "hunt together with others: share targets, causes and schedules in DIR",
                &options.corpus},
               {'\0', "env", "NAME[=VALUE]",
                "schedules keep this variable of the environment, or set it first; may be repeated",
                &options.environment},
               {'\0', "shard", "I/N", "hunt with the seeds and for the targets of part I of N",
                &options.shard}},
              options.live.rows(),
              options.mode.rows(),
              options.slurm.rows()}),
      {},
      "The first run is recorded, and what it predicts is tried in steered runs. A\n"
      "finding is something that happened: a violation that the checker saw, a crash,\n"
      "another exit status than that of the first run, a deadlock, a run that does not\n"
      "end. The program reads nothing from standard input, and its output is shown only\n"
      "where it failed.\n",
  };
}

Result<void> take_environment(const Arguments& given, HuntSettings& settings) {
  const auto names = hunt::take_variables(given);
  if (!names) return tl::unexpected(names.error());
  auto kept = hunt::variables_to_keep(*names);
  if (!kept) return tl::unexpected(kept.error());
  settings.environment = std::move(*kept);
  settings.asked_environment = hunt::variables_named(*names);
  return {};
}

}  // namespace

int run_hunt(const Arguments& arguments) {
  HuntOptions options;
  const Manual manual = manual_of(options);
  Arguments words = arguments;
  Arguments command = take_program(manual, words);
  if (const auto status = parse(manual, words)) return *status;
  LiveOptions& live = options.live;
  if (const auto wrong = live.wrong()) return usage_error(manual, *wrong);
  if (const auto wrong = options.mode.wrong()) return usage_error(manual, *wrong);
  // The budget of the hunt, and what time is for the program, are both called time.
  if (options.time == "virtual") {
    options.clock = std::exchange(options.time, kDefaultSeconds);
  }
  const auto seconds = parse_count(options.time), runs = parse_count(options.runs);
  if (!seconds || *seconds == 0) return usage_error(manual, "--time needs a number of seconds");
  if (!runs) return usage_error(manual, "--runs needs a number");
  const auto shard = parse_shard(options.shard);
  if (!shard) return usage_error(manual, "--shard needs I/N with I from 1 to N");
  if (const auto wrong = wrong_choice("way", options.way, choices("hunt", "way"))) {
    return usage_error(manual, *wrong);
  }
  if (const auto wrong = wrong_choice("clock", options.clock, choices("hunt", "clock"))) {
    return usage_error(manual, *wrong);
  }
  const bool is_virtual = options.clock == "virtual";
  // Only serial runs have a virtual clock.
  if (is_virtual && options.way == "all") options.way = "serial";
  if (is_virtual && options.way != "serial") {
    return usage_error(manual, "--clock virtual is for serial runs: --way serial");
  }
  const bool all = options.way == "all";
  if (command.empty()) return usage_error(manual, "missing argument: PROGRAM");
  if (options.slurm.wanted()) {
    return options.slurm.submit(manual, {words, command, live.report()});
  }
  HuntSettings settings;
  if (auto taken = take_environment(options.environment, settings); !taken) {
    return usage_error(manual, taken.error().message);
  }
  const std::string name = command.front();
  auto program = watch::find_program(std::move(command));
  if (!program) {
    return report_error(advised(program.error(), name, FileKind::kProgram));
  }
  auto passed = live.blocks().for_runtime();
  if (!passed) return report_error(passed.error());
  options.mode.add_for_runtime(*passed);
  add_runtime_option(*passed, "random", "1");
  if (auto ready = live.prepare(); !ready) return report_error(ready.error());
  settings.watch = live.settings(program->path);
  settings.program = std::move(*program);
  settings.runtime = *passed;
  settings.seconds = static_cast<double>(*seconds);
  settings.runs = *runs;
  settings.shard = *shard;
  settings.steers = all || options.way == "steer";
  settings.pauses = all || options.way == "pause";
  settings.makes_noise = all || options.way == "noise";
  settings.serial = all || options.way == "serial";
  settings.save = options.save.empty() && options.corpus.empty() ? "." : options.save;
  settings.corpus = options.corpus;
  if (is_virtual) settings.clock_start = static_cast<std::uint64_t>(::time(nullptr));
  settings.log = &live.log();
  settings.progress = live.log_to_terminal();
  Hunt hunt(std::move(settings));
  if (auto done = hunt.run(); !done) return report_error(done.error());
  hunt.print_summary();
  const auto found = live.conclude(hunt.reports());
  if (!found) return report_error(found.error());
  return *found || hunt.has_untold_failures() ? kViolation : kNothingFound;
}

}  // namespace omnium::cli
