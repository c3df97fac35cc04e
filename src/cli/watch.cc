// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// `omnium watch`: the runtime of a program that was not started by `omnium run` starts this itself.
#include "cli/command.h"
#include "cli/live_options.h"
#include "cli/terminal.h"
#include "watch/channel.h"
#include "watch/supervise.h"
#include "watch/watcher.h"

namespace omnium::cli {

int run_watch(const Arguments& arguments) {
  LiveOptions live;
  std::string descriptors;
  std::vector<Option> rows = live.rows();
  rows.push_back(
      {'\0', "channel", "PAIR", "SOCKET,COUNTERS: two open file descriptors", &descriptors});
  const Manual manual{
      "watch",
      "Report what an instrumented program finds (started by its runtime).",
      "[options] --channel SOCKET,COUNTERS",
      "",
      "66 violation found, 2 usage error, otherwise 0",
      std::move(rows),
      {},
      "",
  };
  if (const auto status = parse(manual, arguments)) return *status;
  if (const auto wrong = live.wrong()) return usage_error(manual, *wrong);
  watch::hold_signals();
  auto channel = watch::Channel::inherited(descriptors);
  const auto ready = live.prepare();
  if (!channel || !ready) {
    print_error(channel ? ready.error() : channel.error());
    return kBadInput;
  }
  watch::Watcher watcher(live.settings(""), *channel, live.log());
  watch::supervise(*channel, watcher, 0);
  const auto found = live.conclude(watcher, 0);
  if (!found) return report_error(found.error());
  return *found ? kViolation : kNothingFound;
}

}  // namespace omnium::cli
