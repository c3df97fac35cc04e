// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/advised.h"
#include "cli/block_options.h"
#include "cli/command.h"
#include "cli/debugger.h"
#include "cli/hunted_run.h"
#include "cli/live_options.h"
#include "cli/number.h"
#include "cli/terminal.h"
#include "cli/watched_run.h"
#include "hunt/environment.h"
#include "hunt/schedule_file.h"
#include "hunt/serial_run.h"
#include "report/findings.h"
#include "watch/supervise.h"

namespace omnium::cli {

namespace {

struct ReplaySettings {
  std::string times = "1";
  bool gdb = false, loose = false;
  Arguments environment;
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
               {'\0', "gdb", "", "start it in gdb", &settings.gdb},
               {'\0', "loose", "", "of a serial schedule: go on where the program goes another way",
                &settings.loose},
               {'\0', "env", "NAME[=VALUE]",
                "another value of a variable than in FILE, or the one of now; may be repeated",
                &settings.environment}},
              settings.live.rows()}),
      {},
      "FILE names the program and what was checked. After a fix this is a regression\n"
      "test: exit status 0 means that it does not happen any more. Steps are known by\n"
      "their addresses: if the program was rebuilt since, a note says so.\n",
  };
}

// The board of a serial schedule, which only this process and the program know.
class Serially {
 public:
  static Result<Serially> create(const hunt::ScheduleFile& schedule, bool loose) {
    Serially out;
    if (!schedule.is_serial) return out;
    auto plan = hunt::read_plan(schedule.switches);
    if (!plan) return tl::unexpected(plan.error());
    // It stays open in programs that are started, gdb too.
    const int file = ::memfd_create("omnium-board", 0);
    if (file < 0) return fail({}, "a board for the serial run cannot be created");
    out.path_ = fmt::format("/proc/self/fd/{}", file);
    auto made = hunt::SerialFile::create(out.path_);
    if (!made) return tl::unexpected(made.error());
    out.file_.emplace(std::move(*made));
    out.plan_ = std::move(*plan);
    out.plan_.loose = loose;
    return out;
  }

  const std::string& path() const { return path_; }  // empty: the schedule is not serial
  void prepare() {
    if (file_) file_->write(plan_);
  }
  // Where the run went another way; empty if it did not.
  std::string where_lost() {
    if (!file_) return "";
    const hunt::SerialResult result = file_->read();
    if (!result.is_serial)
      return fmt::format("it was not serial up to its end: {}", result.why_not);
    if (result.not_reached == 0) return "";
    return fmt::format("switch {} of {} was not made: {}", result.not_reached,
                       plan_.switches.size(), in_words(plan_.switches[result.not_reached - 1]));
  }

 private:
  std::string path_;
  std::optional<hunt::SerialFile> file_;
  hunt::SerialPlan plan_;
};

// How the run is steered.
std::string options_of(const hunt::ScheduleFile& schedule, std::string options,
                       const std::string& path, const Serially& serially) {
  if (!schedule.steps.empty()) {
    add_runtime_option(options, "steer", std::filesystem::absolute(path).string());
  }
  if (schedule.is_serial) add_runtime_option(options, "serial", serially.path());
  if (!schedule.perturb.empty()) add_runtime_option(options, "perturb", schedule.perturb);
  if (!schedule.pause.empty()) add_runtime_option(options, "pause", schedule.pause);
  if (!schedule.places.empty()) {
    add_runtime_option(options, "unprotected", std::filesystem::absolute(path).string());
  }
  return options;
}

struct Outcome {
  std::uint64_t again = 0;    // the cause that the schedule is about
  std::uint64_t other = 0;    // another violation, or the program failed
  std::uint64_t reached = 0;  // all steps happened
  std::uint64_t lost = 0;     // a serial run went another way
  std::string where;          // the first of them
};

// A run, and whether it ended in what the schedule is about.
struct Replayed {
  WatchedRun run;
  bool again = false, failed = false;
};

// A run that is expected not to end need not be waited for much longer than the hunt did.
constexpr std::string_view kNoEnd = "did not end within ";
double limit_of(const hunt::ScheduleFile& schedule) {
  constexpr double kLongest = 3600, kMore = 2;  // seconds: whoever replays can stop it
  if (!schedule.failure.starts_with(kNoEnd)) return kLongest;
  const double waited = std::strtod(schedule.failure.c_str() + kNoEnd.size(), nullptr);
  return std::clamp(waited + kMore, kMore, kLongest);
}

Result<Replayed> run_once(ReplaySettings& settings, const hunt::ScheduleFile& schedule,
                          const watch::Program& program, const std::string& options) {
  constexpr double kNeverCut = 7200;
  auto run = run_hunted(program, {options, "", limit_of(schedule), kNeverCut},
                        settings.live.settings(program.path), settings.live.log());
  if (!run) return tl::unexpected(run.error());
  if (run->interrupted) ::_exit(128 + SIGINT);
  // Another build may have another name.
  const hunt::FailedRun failure = run->failure(schedule.command.front());
  const bool again = id_of(failure) == schedule.cause ||
                     report::has_cause(run->run.watcher->report(), schedule.cause);
  const bool failed = run->ending != Ending::kExit || run->run.status != 0;
  return Replayed{std::move(run->run), again, failed};
}

Result<Outcome> run_often(ReplaySettings& settings, const hunt::ScheduleFile& schedule,
                          const watch::Program& program, const std::string& options,
                          Serially& serially, std::uint64_t times) {
  Outcome out;
  for (std::uint64_t i = 0; i < times; ++i) {
    serially.prepare();
    const auto done = run_once(settings, schedule, program, options);
    if (!done) return tl::unexpected(done.error());
    const WatchedRun& run = done->run;
    if (!run.watcher->greeted()) {
      return fail({program.path}, "is not instrumented: build it with `omnium c++`");
    }
    out.again += done->again;
    out.other += !done->again && (run.watcher->found() || done->failed);
    out.reached += run.channel->counters().steered_to_end > 0;
    const std::string where = serially.where_lost();
    if (where.empty()) continue;
    if (out.lost++ == 0) out.where = where;
  }
  return out;
}

bool is_reached(const hunt::ScheduleFile& schedule, const Outcome& outcome, std::uint64_t times) {
  if (schedule.is_serial) return outcome.lost < times;
  return schedule.steps.empty() || outcome.reached > 0;
}

void tell(const hunt::ScheduleFile& schedule, const Outcome& outcome, std::uint64_t times,
          support::ByteSink& log) {
  const std::string what = schedule.failure.empty() ? schedule.cause
                                                    : fmt::format("{} ({})", schedule.cause,
                                                                  printable(schedule.failure));
  if (outcome.lost > 0) {
    log.write(
        fmt::format("{} of {} runs went another way: {}\n", outcome.lost, times, outcome.where));
  }
  if (outcome.again + outcome.other == 0) {
    const bool reached = is_reached(schedule, outcome, times);
    log.write(fmt::format("{}: {}\n", what,
                          reached ? "does not happen any more"
                                  : "cannot be reached any more: its steps did not all come"));
    return;
  }
  log.write(fmt::format("{}: happened in {} of {} runs\n", what, outcome.again, times));
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
  if (!schedule) return report_error(advised(schedule.error(), FileKind::kSchedule));
  const auto variables = hunt::take_variables(settings.environment);
  if (!variables) return usage_error(manual, variables.error().message);
  hunt::restore_variables(schedule->environment, *variables);
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
  ::personality(ADDR_NO_RANDOMIZE);
  auto serially = Serially::create(*schedule, settings.loose);
  if (!serially) return report_error(serially.error());
  const std::string options = options_of(*schedule, *passed, files.front(), *serially);
  if (settings.gdb) {
    serially->prepare();
    Arguments what = {"--args", program->path};
    what.insert(what.end(), program->arguments.begin() + 1, program->arguments.end());
    return become_gdb({options, {}, {}, false, what});
  }
  if (auto ready = settings.live.prepare(); !ready) return report_error(ready.error());
  const auto outcome = run_often(settings, *schedule, *program, options, *serially, *times);
  if (!outcome) return report_error(outcome.error());
  tell(*schedule, *outcome, *times, settings.live.log());
  return outcome->again + outcome->other > 0 ? kViolation : kNothingFound;
}

}  // namespace omnium::cli
