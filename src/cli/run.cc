// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/live_options.h"
#include "cli/terminal.h"
#include "live/channel.h"
#include "live/program.h"
#include "live/supervise.h"
#include "live/watcher.h"

namespace omnium::cli {

namespace {

constexpr char kOptionsVariable[] = "OMNIUM_OPTIONS";

// The value of a key in "key=value:key=value"; the last one counts.
std::string value_of(const std::string& options, std::string_view key) {
  const std::string marked = ":" + options, wanted = fmt::format(":{}=", key);
  const std::size_t at = marked.rfind(wanted);
  if (at == std::string::npos) return "";
  const std::string rest = marked.substr(at + wanted.size());
  return rest.substr(0, rest.find(':'));
}

// The runtime's options, behind those of the user's own variable.
Result<std::string> runtime_options(LiveOptions& live, bool halt_on_error) {
  const char* own = std::getenv(kOptionsVariable);
  std::string out = own == nullptr ? "" : own;
  const auto add = [&](std::string_view key, std::string_view value) {
    out += fmt::format("{}{}={}", out.empty() ? "" : ":", key, value);
  };
  if (!live.spec().empty()) {
    const std::string path = std::filesystem::absolute(live.spec()).string();
    if (path.find(':') != std::string::npos) {
      return fail({path}, "the path of a specification must not contain ':'");
    }
    add("spec", path);
  }
  if (!live.blocks().empty()) add("blocks", live.blocks());
  if (halt_on_error) add("halt_on_error", "1");
  live.take_defaults(value_of(out, "spec"), value_of(out, "blocks"));
  return out;
}

int report_error(const Error& error) {
  print_error(error);
  return kBadInput;
}

int run_program(LiveOptions& live, const std::string& options, const live::Program& program) {
  const auto started = std::chrono::steady_clock::now();
  auto channel = live::Channel::create();
  if (!channel) return report_error(channel.error());
  if (const auto why = live::not_instrumented(program)) print_warning(*why);
  live::hold_signals();
  const auto child = live::start(
      program, {{live::kChannelVariable, channel->program_end()}, {kOptionsVariable, options}});
  if (!child) return report_error(child.error());
  channel->close_program_end();
  live::Watcher watcher(live.settings(program.path), *channel, live.log());
  const int status = live::supervise(*channel, watcher, *child);
  if (!watcher.greeted()) {
    print_error(
        "nothing was checked: no instrumented program ran; build it with `omnium cc` or "
        "`omnium c++` (CC=omnium-cc CXX=omnium-c++)");
    return kBadInput;
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
  if (auto written = live.conclude(watcher, seconds.count()); !written) {
    return report_error(written.error());
  }
  return watcher.found() ? kViolation : live::exit_like(status);
}

}  // namespace

int run_run(const Arguments& arguments) {
  LiveOptions live;
  bool halt_on_error = false;
  std::vector<Option> rows = live.rows();
  rows.push_back(
      {'\0', "halt-on-error", "", "end the program at the first violation", &halt_on_error});
  const Manual manual{
      "run",
      "Run a program that was built with `omnium cc` or `omnium c++` and check it while it runs.",
      "[options] -- PROGRAM [ARGUMENT...]",
      "omnium run -s bank.spec -f json -o report.json -- ./bank 8",
      "66 violation found, 2 wrong usage or input, otherwise the program's own",
      std::move(rows),
      {},
      "The summary so far is printed on SIGUSR1. More options: OMNIUM_OPTIONS=help=1.\n",
  };
  Arguments options = arguments;
  Arguments command = take_program(manual, options);
  if (const auto status = parse(manual, options)) return *status;
  if (const auto wrong = live.wrong()) return usage_error(manual, *wrong);
  if (command.empty()) return usage_error(manual, "PROGRAM is missing");
  const auto program = live::find_program(std::move(command));
  if (!program) return report_error(program.error());
  const auto passed = runtime_options(live, halt_on_error);
  if (!passed) return report_error(passed.error());
  if (auto ready = live.prepare(); !ready) return report_error(ready.error());
  return run_program(live, *passed, *program);
}

}  // namespace omnium::cli
