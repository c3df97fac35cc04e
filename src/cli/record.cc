// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/block_options.h"
#include "cli/command.h"
#include "cli/log_output.h"
#include "cli/recorded_trace.h"
#include "cli/terminal.h"
#include "cli/watched_run.h"
#include "watch/program.h"
#include "watch/supervise.h"

namespace omnium::cli {

namespace {

struct RecordSettings {
  std::string output;
  bool raw = false;
  BlockOptions blocks;
};

Manual manual_of(RecordSettings& settings) {
  return {
      "record",
      "Run a program that was built with `omnium cc` or `omnium c++` and record what it does.",
      "-o FILE [options] -- PROGRAM [ARGUMENT...]",
      "omnium record -o bank.omt -- ./bank 8",
      "2 wrong usage or input, otherwise the program's own",
      joined({{{'o', "output", "FILE", "the trace: .omt (also .std, .csv)", &settings.output},
               {'\0', "raw", "", "FILE is the log as the program wrote it", &settings.raw}},
              settings.blocks.rows()}),
      {},
      "While the program runs, FILE.raw-PID is its log; if omnium is killed, `omnium convert` "
      "makes the trace of it.\nA process that the program forks has a trace of its own, "
      "FILE.PID.omt, "
      "if it starts threads.\n"
      "With --raw nothing is left to do when the program is gone. All commands read such a log; "
      "each "
      "time\nthey put it in order and take names from the program's files. `omnium convert` does "
      "it "
      "once.\n",
  };
}

int record_program(const watch::Program& program, const std::string& options,
                   const BlockOptions& blocks, RecordedTrace& trace) {
  watch::WatchSettings settings;
  settings.program = program.path;
  settings.specification = blocks.specification();
  settings.functions_are_blocks = blocks.functions_are_blocks();
  const auto log = LogOutput::open("");
  if (!log) return report_error(log.error());
  const auto run = run_watched(program, options, std::move(settings), **log);
  if (!run || !trace.has_events()) {
    trace.remove_raw();
    return run ? complain_of_instrumentation("recorded") : report_error(run.error());
  }
  run->watcher->warn_of_unused_rules();
  if (auto finished = trace.finish(); !finished) {
    print_error(fmt::format("the raw log {} stays", trace.raw_path()));
    return report_error(finished.error());
  }
  if (auto finished = trace.finish_children(); !finished) return report_error(finished.error());
  return watch::exit_like(run->status);
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
  if (const auto wrong = settings.blocks.wrong()) return usage_error(manual, *wrong);
  const auto program = watch::find_program(std::move(command));
  if (!program) return report_error(program.error());
  auto passed = settings.blocks.for_runtime();
  if (!passed) return report_error(passed.error());
  if (auto read = settings.blocks.read_specification(); !read) return report_error(read.error());
  auto trace = RecordedTrace::prepare(settings.output, settings.raw);
  if (!trace) return report_error(trace.error());
  add_runtime_option(*passed, "check", "0");
  add_runtime_option(*passed, "record", trace->raw_path());
  return record_program(*program, *passed, settings.blocks, *trace);
}

}  // namespace omnium::cli
