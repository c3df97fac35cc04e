// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/log_output.h"
#include "cli/recorded_trace.h"
#include "cli/runtime_options.h"
#include "cli/terminal.h"
#include "live/channel.h"
#include "live/program.h"
#include "live/supervise.h"
#include "live/watcher.h"

namespace omnium::cli {

namespace {

struct RecordSettings {
  std::string output, spec, blocks;
};

Manual manual_of(RecordSettings& settings) {
  return {
      "record",
      "Run a program that was built with `omnium cc` or `omnium c++` and record what it does.",
      "-o FILE [options] -- PROGRAM [ARGUMENT...]",
      "omnium record -o bank.omt -- ./bank 8",
      "2 wrong usage or input, otherwise the program's own",
      {{'o', "output", "FILE", "the trace: .omt (also .std, .csv)", &settings.output},
       {'s', "spec", "FILE", "what ought to be atomic (default: every annotated block)",
        &settings.spec},
       {'\0', "blocks", "KIND",
        "annotated (default), functions (all but main and those\nthat threads start with), locks "
        "(lock to unlock)",
        &settings.blocks}},
      {},
      "While the program runs, FILE.raw-PID is its log; if omnium is killed, `omnium convert` "
      "makes "
      "the trace of it.\nA process that the program forks has a trace of its own, FILE.PID.omt, if "
      "it starts threads.\n",
  };
}

// The program's wait status; nothing if it was not instrumented or could not be started.
std::optional<int> run_recorded(const live::Program& program, const std::string& options,
                                live::WatchSettings settings) {
  auto channel = live::Channel::create();
  if (!channel) return report_error(channel.error()), std::nullopt;
  auto log = LogOutput::open("");
  if (!log) return report_error(log.error()), std::nullopt;
  if (const auto why = live::not_instrumented(program)) print_warning(*why);
  live::hold_signals();
  const auto child = live::start(
      program, {{live::kChannelVariable, channel->program_end()}, {kOptionsVariable, options}});
  if (!child) return report_error(child.error()), std::nullopt;
  channel->close_program_end();
  live::Watcher watcher(std::move(settings), *channel, **log);
  return live::supervise(*channel, watcher, *child);
}

}  // namespace

int run_record(const Arguments& arguments) {
  RecordSettings settings;
  const Manual manual = manual_of(settings);
  Arguments options = arguments;
  Arguments command = take_program(manual, options);
  if (const auto status = parse(manual, options)) return *status;
  if (settings.output.empty()) return usage_error(manual, "-o FILE is missing");
  if (command.empty()) return usage_error(manual, "PROGRAM is missing");
  auto program = live::find_program(std::move(command));
  if (!program) return report_error(program.error());
  RuntimeOptions runtime_options;
  if (auto added = runtime_options.add_blocks(settings.spec, settings.blocks); !added) {
    return report_error(added.error());
  }
  auto trace = RecordedTrace::prepare(settings.output);
  if (!trace) return report_error(trace.error());
  runtime_options.add("check", "0");
  runtime_options.add("record", trace->raw_path());
  live::WatchSettings watch;
  watch.program = program->path;
  watch.functions_are_blocks = settings.blocks == "functions";
  if (!settings.spec.empty()) {
    if (auto read = watch.specification.read_file(settings.spec); !read) {
      return report_error(read.error());
    }
  }
  const auto status = run_recorded(*program, runtime_options.text(), std::move(watch));
  if (!status || !trace->has_events()) {
    trace->remove_raw();
    if (status)
      print_error(
          "nothing was recorded: no instrumented program ran; build it with "
          "`omnium cc` or `omnium c++` (CC=omnium-cc CXX=omnium-c++)");
    return kBadInput;
  }
  if (auto finished = trace->finish(); !finished) {
    print_error(fmt::format("the raw log {} stays", trace->raw_path()));
    return report_error(finished.error());
  }
  if (auto finished = trace->finish_children(); !finished) return report_error(finished.error());
  return live::exit_like(*status);
}

}  // namespace omnium::cli
