// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdio>
#include <new>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/compile.h"
#include "cli/terminal.h"
#include "support/display.h"

namespace omnium::cli {

namespace {

constexpr Command kCommands[] = {
    {"cc", "compile a C program for checking", run_cc},
    {"c++", "compile a C++ program for checking", run_cxx},
    {"run", "run a program and check it while it runs", run_run},
    {"record", "run a program and record what it does", run_record},
    {"check", "check recorded traces for atomicity violations", run_check},
    {"predict", "look for violations in other interleavings of a trace", run_predict},
    {"refine", "find out which blocks cannot be called atomic", run_refine},
    {"model", "explore every run of a small program", run_model},
    {"report", "render stored findings again", run_report},
    {"diff", "compare stored findings: fixed, new, the same", run_diff},
    {"info", "say what is in a trace", run_info},
    {"convert", "write a trace in another format", run_convert},
    {"generate", "write a made-up trace", run_generate},
    {"engines", "list the engines and what each one promises", run_engines},
    {"help", "explain a command or a topic", run_help},
    {"watch", "", run_watch},
};

// The name that the program was called by; omnium-cc and omnium-c++ are links to it.
int run(std::string_view program, Arguments arguments) {
  program.remove_prefix(program.rfind('/') + 1);
  if (program == "omnium-cc") return become_compiler(driver::Language::kC, arguments);
  if (program == "omnium-c++") return become_compiler(driver::Language::kCxx, arguments);
  if (arguments.empty()) return run_help({});
  const std::string name = arguments.front();
  arguments.erase(arguments.begin());
  if (name == "--version" || name == "-V") {
    print_out(fmt::format("omnium {}\n", OMNIUM_VERSION));
    return kNothingFound;
  }
  if (name == "--help" || name == "-h") return run_help(arguments);
  const Command* command = find_command(name);
  return command == nullptr ? unknown_command(name) : command->run(arguments);
}

}  // namespace

std::span<const Command> all_commands() { return kCommands; }

const Command* find_command(std::string_view name) {
  for (const Command& command : kCommands) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

int unknown_command(std::string_view name) {
  std::string known;
  for (const Command& command : kCommands) {
    if (command.summary.empty()) continue;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", command.name);
  }
  print_error(
      fmt::format("unknown command '{}'; there are {}", support::terminal_text(name), known));
  return kBadInput;
}

}  // namespace omnium::cli

int main(int argc, char** argv) {
  // A reader that left shows as a failed write, so that the verdict is still the exit status.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return omnium::cli::run(argc > 0 ? argv[0] : "", {argv + (argc > 0 ? 1 : 0), argv + argc});
  } catch (const std::bad_alloc&) {
    std::fputs("omnium: out of memory\n", stderr);
    return omnium::cli::kBadInput;
  }
}
