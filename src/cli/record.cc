// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/advised.h"
#include "cli/block_options.h"
#include "cli/command.h"
#include "cli/log_output.h"
#include "cli/number.h"
#include "cli/recorded_trace.h"
#include "cli/terminal.h"
#include "cli/watched_run.h"
#include "watch/program.h"
#include "watch/supervise.h"

namespace omnium::cli {

namespace {

struct RecordSettings {
  std::string output;
  std::string purpose;
  bool everything = false;
  bool raw = false;
  std::string sample;
  BlockOptions blocks;
};

Manual manual_of(RecordSettings& settings) {
  return {
      "record",
      "Run a program built with `omnium cc` or `omnium c++` and record a trace.",
      "-o FILE [options] -- PROGRAM [ARGUMENT...]",
      "omnium record -o bank.omt -- ./bank 8",
      "2 usage or input error, otherwise the program's own",
      joined(
          {{{'o', "output", "FILE", "write the trace here (.omt, .std or .csv)", &settings.output},
            {'\0', "for", "PURPOSE",
             "check: leave out what only predictions need: faster for programs that compute much",
             &settings.purpose},
            {'\0', "everything", "", "also keep accesses to memory that no other thread uses",
             &settings.everything},
            {'\0', "sample-arrays", "N", "of arrays keep only accesses to the first N elements",
             &settings.sample},
            {'\0', "raw", "", "write the program's raw log instead of a trace", &settings.raw}},
           settings.blocks.rows()}),
      {},
      "While the program runs, its raw log is FILE.raw-PID. If omnium is killed,\n"
      "`omnium convert` turns that log into a trace. Another process that starts\n"
      "threads gets its own trace, FILE.PID.omt.\n"
      "--raw skips the conversion at exit. Every command reads raw logs, but must sort\n"
      "them and look up names each time; `omnium convert` does that once.\n",
  };
}

int record_program(const watch::Program& program, const std::string& options,
                   const BlockOptions& blocks, RecordedTrace& trace) {
  watch::WatchSettings settings;
  settings.program = program.path;
  settings.specification = blocks.specification();
  settings.functions_are_blocks = blocks.functions_are_blocks();
  settings.about_functions = "omnium check reports each one that is not atomic once";
  const auto log = LogOutput::open("");
  if (!log) return report_error(log.error());
  const auto run = run_watched(program, options, std::move(settings), **log);
  if (!run || !trace.has_events()) {
    trace.remove_raw();
    return run ? complain_of_instrumentation("recorded") : report_error(run.error());
  }
  run->watcher->warn_of_unused_rules();
  if (auto finished = trace.finish(); !finished) {
    print_error(fmt::format("the raw log was kept: {}", trace.raw_path()));
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
  if (settings.output.empty()) return usage_error(manual, "missing option: -o FILE");
  if (command.empty()) return usage_error(manual, "missing argument: PROGRAM");
  if (const auto wrong = settings.blocks.wrong()) return usage_error(manual, *wrong);
  if (!settings.purpose.empty() && settings.purpose != "check") {
    return usage_error(manual, "--for must be check");
  }
  if (!settings.purpose.empty() && settings.everything) {
    return usage_error(manual, "--for and --everything cannot be combined");
  }
  const auto sample = parse_count(settings.sample);
  if (!settings.sample.empty() && !sample) {
    return usage_error(manual, "--sample-arrays needs a number of elements");
  }
  if (sample && settings.raw) {
    return usage_error(manual, "--raw and --sample-arrays cannot be combined");
  }
  const std::string name = command.front();
  const auto program = watch::find_program(std::move(command));
  if (!program) {
    return report_error(advised(program.error(), name, FileKind::kProgram));
  }
  auto passed = settings.blocks.for_runtime();
  if (!passed) return report_error(passed.error());
  if (auto read = settings.blocks.read_specification(); !read) return report_error(read.error());
  auto trace = RecordedTrace::prepare(settings.output, settings.raw);
  if (!trace) return report_error(trace.error());
  if (!settings.sample.empty()) trace->sample_arrays(*sample);
  add_runtime_option(*passed, "check", "0");
  add_runtime_option(*passed, "record", trace->raw_path());
  if (settings.everything) add_runtime_option(*passed, "record_for", "everything");
  if (!settings.purpose.empty()) add_runtime_option(*passed, "record_for", settings.purpose);
  return record_program(*program, *passed, settings.blocks, *trace);
}

}  // namespace omnium::cli
