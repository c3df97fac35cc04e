// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/compile.h"

#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fmt/format.h>

#include "cli/terminal.h"
#include "driver/driver.h"

namespace omnium::cli {

namespace {

constexpr std::string_view kPrintFlags = "--omnium-print-flags=";

int print_flags(driver::Language language, const std::string& step) {
  const auto flags = driver::flags_for(language, step);
  if (!flags) {
    print_error(flags.error());
    return kBadInput;
  }
  for (const std::string& flag : *flags) print_out(flag + "\n");
  return kNothingFound;
}

std::string help(std::string_view command, driver::Language language) {
  const bool is_c = language == driver::Language::kC;
  const std::string variable = is_c ? "OMNIUM_CC" : "OMNIUM_CXX";
  const std::string usual = is_c ? "gcc" : "g++";
  const std::string example =
      is_c ? "omnium cc -g -O2 -pthread a.c -o a, CC=omnium-cc ./configure"
           : "omnium c++ -g -O2 -pthread a.cc -o a, CXX=omnium-c++ cmake -B build";
  return help_text(
      {command,
       fmt::format("Compile and link a {} program for `omnium run` and `omnium record`.",
                   is_c ? "C" : "C++"),
       "COMPILER-ARGUMENTS...",
       example,
       "the compiler's; 2 if the program cannot be instrumented",
       {},
       {"", 0, 0, nullptr},
       fmt::format(
           "Takes any command line of gcc or clang and runs that compiler with flags that\n"
           "instrument memory accesses and functions and link Omnium's runtime. A command\n"
           "line that neither compiles nor links (--version, -print-...) is passed through.\n"
           "Build systems can use omnium-{}, which is the same command in one word.\n"
           "  --omnium-print-flags=STEP  print the flags for STEP (compile or link) and exit\n"
           "environment:\n"
           "  {:<18}  the compiler (default: {}), with a launcher if any\n"
           "                      (ccache {})\n"
           "  OMNIUM_FUNCTIONS    which functions can be blocks. outlined (default): those\n"
           "                      not inlined; all: every function; none: no function,\n"
           "                      only OMNIUM_ATOMIC and locks (fastest)\n"
           "  OMNIUM_INLINE       accesses (default): the fast path is inlined; none: every\n"
           "                      access is a call (smaller and slower)\n"
           "  OMNIUM_RUNTIME_DIR  the directory of the runtime, if it is not found\n",
           command, variable, usual, usual)});
}

}  // namespace

int become_compiler(driver::Language language, const Arguments& arguments) {
  if (arguments.size() == 1 && arguments[0].starts_with(kPrintFlags)) {
    return print_flags(language, arguments[0].substr(kPrintFlags.size()));
  }
  auto command = driver::instrumented(language, arguments);
  if (!command) {
    print_error(command.error());
    return kBadInput;
  }
  std::vector<char*> words;
  for (std::string& word : *command) words.push_back(word.data());
  words.push_back(nullptr);
  // main() ignores these, and exec would pass that on.
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_DFL);
  execvp(words[0], words.data());
  print_error(fmt::format("cannot run {}: {}", command->front(), std::strerror(errno)));
  return kBadInput;
}

int compile(std::string_view command, driver::Language language, const Arguments& arguments) {
  if (arguments != Arguments{"--help"}) return become_compiler(language, arguments);
  print_out(help(command, language));
  return kNothingFound;
}

}  // namespace omnium::cli
