// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What the runtime of a program that was not started by `omnium run` starts for itself.
#include <unistd.h>

#include "cli/command.h"
#include "cli/log_output.h"
#include "cli/terminal.h"
#include "live/channel.h"
#include "live/supervise.h"
#include "live/watcher.h"

namespace omnium::cli {

int run_watch(const Arguments& arguments) {
  std::string descriptors, program, log_path;
  const Manual manual{
      "watch",
      "Tell what an instrumented program finds. Its runtime starts this command.",
      "--channel SOCKET,COUNTERS [--program PATH] [--log FILE]",
      "",
      "66 violation found, 2 wrong usage, 0 otherwise",
      {{'\0', "channel", "SOCKET,COUNTERS", "descriptors that are open", &descriptors},
       {'\0', "program", "PATH", "the program, for the summary", &program},
       {'\0', "log", "FILE", "where findings go (default: standard error)", &log_path}},
      {},
      "",
  };
  if (const auto status = parse(manual, arguments)) return *status;
  live::hold_signals();
  auto log = LogOutput::open(log_path);
  auto channel = live::Channel::inherited(descriptors);
  if (!log || !channel) {
    print_error(log ? channel.error() : log.error());
    return kBadInput;
  }
  const bool terminal = (*log)->to_terminal();
  const report::TextStyle style{terminal ? terminal_width(STDERR_FILENO) : 80,
                                use_colour(Colour::kAuto, terminal, STDERR_FILENO)};
  live::Watcher watcher(program, channel->counters(), style, **log);
  live::supervise(*channel, watcher, 0);
  if (watcher.found()) watcher.print_summary(false);
  return watcher.found() ? kViolation : kNothingFound;
}

}  // namespace omnium::cli
