// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdio>
#include <new>

#include <fmt/format.h>

#include "cli/choices.h"
#include "cli/command.h"
#include "cli/compile.h"
#include "cli/debugger.h"
#include "cli/terminal.h"
#include "support/suggestion.h"

namespace omnium::cli {

namespace {

constexpr Command kCommands[] = {
    {"cc", "compile a C program for checking", run_cc},
    {"c++", "compile a C++ program for checking", run_cxx},
    {"run", "run a program and check it while it runs", run_run},
    {"hunt", "make violations happen: run it again in other interleavings", run_hunt},
    {"replay", "run again what hunt has found", run_replay},
    {"gdb", "debug a program, with commands for gdb that show blocks and locks", run_gdb},
    {"record", "run a program and record a trace", run_record},
    {"check", "check recorded traces for atomicity violations", run_check},
    {"predict", "look for violations in other interleavings of a trace", run_predict},
    {"refine", "find the blocks that are not atomic", run_refine},
    {"model", "explore every run of a small model", run_model},
    {"report", "render stored results in any format", run_report},
    {"merge", "merge results of many runs, shards or machines", run_merge},
    {"diff", "compare two results: fixed, new, unchanged", run_diff},
    {"info", "summarize a trace", run_info},
    {"convert", "convert a trace to another format", run_convert},
    {"generate", "write a synthetic trace", run_generate},
    {"engines", "list the engines and what each one guarantees", run_engines},
    {"doctor", "show what Omnium needs from this machine, and what is missing", run_doctor},
    {"help", "explain a command or a topic", run_help},
    {"watch", "", run_watch},
};

// `program` is the name it was started by: omnium-cc and omnium-c++ are links to omnium.
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
  Words known;
  for (const Command& command : kCommands) {
    if (!command.summary.empty()) known.push_back(command.name);
  }
  print_error(support::unknown("command", name, known));
  return kBadInput;
}

}  // namespace omnium::cli

int main(int argc, char** argv) {
  // A closed pipe then shows up as a failed write, and the exit status still gives the verdict.
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
  try {
    return omnium::cli::run(argc > 0 ? argv[0] : "", {argv + (argc > 0 ? 1 : 0), argv + argc});
  } catch (const std::bad_alloc&) {
    std::fputs("omnium: out of memory\n", stderr);
    return omnium::cli::kBadInput;
  }
}
