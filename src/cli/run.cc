// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/log_output.h"
#include "cli/peak_memory.h"
#include "cli/runtime_options.h"
#include "cli/terminal.h"
#include "live/channel.h"
#include "live/program.h"
#include "live/supervise.h"
#include "live/watcher.h"
#include "report/json.h"
#include "report/text.h"
#include "support/display.h"
#include "support/output_file.h"

namespace omnium::cli {

namespace {

struct RunSettings {
  std::string spec, blocks, log, output;
  std::string format = "text";
  std::string colour = "auto";
  bool halt_on_error = false, stats = false;
};

Manual manual_of(RunSettings& settings) {
  return {
      "run",
      "Run a program that was built with `omnium cc` or `omnium c++` and check it while it runs.",
      "[options] -- PROGRAM [ARGUMENT...]",
      "omnium run -s bank.spec -f json -o report.json -- ./bank 8",
      "66 violation found, 2 wrong usage or input, otherwise the program's own",
      {{'s', "spec", "FILE", "what ought to be atomic (default: every annotated block)",
        &settings.spec},
       {'\0', "blocks", "KIND",
        "annotated (default), functions (all but main and those\nthat threads start with), locks "
        "(lock to unlock)",
        &settings.blocks},
       {'f', "format", "NAME", "of the report in -o: text (default), json", &settings.format},
       {'o', "output", "FILE", "a report at the end, besides what is told on the way",
        &settings.output},
       {'\0', "log", "FILE", "findings as they happen go here (default: standard error)",
        &settings.log},
       {'\0', "halt-on-error", "", "end the program at the first violation",
        &settings.halt_on_error},
       {'\0', "stats", "", "what the runtime counted", &settings.stats},
       {'\0', "color", "WHEN", "auto (default), always, never", &settings.colour}},
      {},
      "The summary so far is printed on SIGUSR1; other options of the runtime: "
      "OMNIUM_OPTIONS=help=1.\n",
  };
}

std::optional<std::string> wrong_settings(const RunSettings& settings) {
  if (settings.format != "text" && settings.format != "json") {
    return fmt::format("unknown format '{}'; there are text, json",
                       support::terminal_text(settings.format));
  }
  if (settings.format != "text" && settings.output.empty()) {
    return fmt::format("-f {} needs -o FILE, since standard output is the program's",
                       settings.format);
  }
  if (!colour_of(settings.colour)) {
    return fmt::format("--color is auto, always or never, not '{}'",
                       support::terminal_text(settings.colour));
  }
  return std::nullopt;
}

Result<std::string> runtime_options(const RunSettings& settings) {
  RuntimeOptions options;
  if (auto added = options.add_blocks(settings.spec, settings.blocks); !added) {
    return tl::unexpected(added.error());
  }
  if (settings.halt_on_error) options.add("halt_on_error", "1");
  return options.text();
}

Result<void> write_report(const RunSettings& settings, const report::Report& report,
                          support::OutputFile& out) {
  if (settings.format == "json") {
    report::render_json(report, out);
  } else {
    const bool to_terminal = settings.output == "-";
    report::render_text(
        report,
        {to_terminal ? terminal_width() : 80, use_colour(*colour_of(settings.colour), to_terminal)},
        out);
  }
  auto finished = out.finish();
  if (!finished && out.reader_left()) return {};
  return finished;
}

int report_error(const Error& error) {
  print_error(error);
  return kBadInput;
}

// Everything that can be wrong is found out before the program starts.
struct Prepared {
  std::string options;
  live::Program program;
  std::unique_ptr<support::OutputFile> output;  // null without -o
  std::unique_ptr<LogOutput> log;
};

Result<Prepared> prepare(const RunSettings& settings, Arguments command) {
  Prepared out;
  auto program = live::find_program(std::move(command));
  if (!program) return tl::unexpected(program.error());
  out.program = std::move(*program);
  auto options = runtime_options(settings);
  if (!options) return tl::unexpected(options.error());
  out.options = std::move(*options);
  if (!settings.output.empty()) {
    auto output = support::OutputFile::create(settings.output);
    if (!output) return tl::unexpected(output.error());
    out.output = std::move(*output);
  }
  auto log = LogOutput::open(settings.log);
  if (!log) return tl::unexpected(log.error());
  out.log = std::move(*log);
  return out;
}

int run_program(const RunSettings& settings, Prepared& prepared) {
  const auto started = std::chrono::steady_clock::now();
  auto channel = live::Channel::create();
  if (!channel) return report_error(channel.error());
  if (const auto why = live::not_instrumented(prepared.program)) print_warning(*why);
  live::hold_signals();
  const auto child = live::start(
      prepared.program,
      {{live::kChannelVariable, channel->program_end()}, {kOptionsVariable, prepared.options}});
  if (!child) return report_error(child.error());
  channel->close_program_end();
  const report::TextStyle style{
      prepared.log->to_terminal() ? terminal_width(STDERR_FILENO) : 80,
      use_colour(*colour_of(settings.colour), prepared.log->to_terminal(), STDERR_FILENO)};
  live::Watcher watcher(prepared.program.path, channel->counters(), style, *prepared.log);
  const int status = live::supervise(*channel, watcher, *child);
  if (!watcher.greeted()) {
    print_error(
        "nothing was checked: no instrumented program ran; build it with `omnium cc` or "
        "`omnium c++` (CC=omnium-cc CXX=omnium-c++)");
    return kBadInput;
  }
  watcher.print_summary(settings.stats);
  if (prepared.output != nullptr) {
    report::Report report = watcher.report();
    report.with_stats = settings.stats;
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    report.peak_bytes = peak_bytes();
    const auto written = write_report(settings, report, *prepared.output);
    if (!written) return report_error(written.error());
  }
  return watcher.found() ? kViolation : live::exit_like(status);
}

}  // namespace

int run_run(const Arguments& arguments) {
  RunSettings settings;
  const Manual manual = manual_of(settings);
  Arguments options = arguments;
  Arguments command = take_program(manual, options);
  if (const auto status = parse(manual, options)) return *status;
  if (const auto wrong = wrong_settings(settings)) return usage_error(manual, *wrong);
  if (command.empty()) return usage_error(manual, "PROGRAM is missing");
  auto prepared = prepare(settings, std::move(command));
  if (!prepared) return report_error(prepared.error());
  return run_program(settings, *prepared);
}

}  // namespace omnium::cli
