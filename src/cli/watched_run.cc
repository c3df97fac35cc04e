// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/watched_run.h"

#include <utility>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/terminal.h"
#include "watch/supervise.h"

namespace omnium::cli {

Result<WatchedRun> run_watched(const watch::Program& program, const std::string& options,
                               watch::WatchSettings settings, support::ByteSink& log) {
  auto channel = watch::Channel::create();
  if (!channel) return tl::unexpected(channel.error());
  WatchedRun run{std::make_unique<watch::Channel>(std::move(*channel)), nullptr, 0};
  if (const auto why = watch::not_instrumented(program)) print_warning(*why);
  watch::hold_signals();
  const auto child = watch::start(
      program, {{wire::kChannelVariable, run.channel->program_end()}, {kOptionsVariable, options}});
  if (!child) return tl::unexpected(child.error());
  run.channel->close_program_end();
  run.watcher = std::make_unique<watch::Watcher>(std::move(settings), *run.channel, log);
  run.status = watch::supervise(*run.channel, *run.watcher, *child);
  return run;
}

int complain_of_instrumentation(std::string_view done) {
  print_error(
      fmt::format("nothing was {}: no instrumented program ran; build the program with "
                  "`omnium cc` or `omnium c++` (CC=omnium-cc CXX=omnium-c++)",
                  done));
  return kBadInput;
}

}  // namespace omnium::cli
