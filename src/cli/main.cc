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
    {"record", "run a program and record what it does", run_record},
    {"run", "run a program and check it while it runs", run_run},
    {"check", "check recorded traces for atomicity violations", run_check},
    {"predict", "look for violations in other interleavings of a trace", run_predict},
    {"refine", "find out which blocks cannot be called atomic", run_refine},
    {"model", "explore every run of a small program", run_model},
    {"info", "say what is in a trace", run_info},
    {"convert", "write a trace in another format", run_convert},
    {"generate", "write a made-up trace", run_generate},
    {"engines", "list the engines and what each one promises", run_engines},
    {"help", "explain a command", run_help},
    {"watch", "", run_watch},
};

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

std::string overview() {
  std::string out =
      "Omnium finds atomicity violations: blocks that did not run as if alone.\n"
      "usage: omnium COMMAND [options] ...\n";
  for (const Command& command : kCommands) {
    if (command.summary.empty()) continue;
    out += fmt::format("  {:<10}  {}\n", command.name, command.summary);
  }
  out +=
      "  --version   print the version\n"
      "example: omnium check run.std\n"
      "exit status: 0 none found, 66 violation found, 2 wrong usage or input\n";
  return out;
}

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

int run_help(const Arguments& arguments) {
  if (arguments.empty() || arguments[0] == "help" || arguments[0].starts_with('-')) {
    print_out(overview());
    return kNothingFound;
  }
  const Command* command = find_command(arguments[0]);
  return command == nullptr ? unknown_command(arguments[0]) : command->run({"--help"});
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
