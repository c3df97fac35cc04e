// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A program that is started and listened to until it ends, and so are its children.
#pragma once

#include <memory>
#include <string>

#include "support/byte_sink.h"
#include "support/error.h"
#include "watch/channel.h"
#include "watch/program.h"
#include "watch/watcher.h"

namespace omnium::cli {

using watch::kOptionsVariable;

struct WatchedRun {
  std::unique_ptr<watch::Channel> channel;
  std::unique_ptr<watch::Watcher> watcher;  // has an instrumented program run? See greeted()
  int status = 0;                           // what wait() said of the program
};

// `options` is the program's OMNIUM_OPTIONS. Findings and warnings go to `log`.
Result<WatchedRun> run_watched(const watch::Program& program, const std::string& options,
                               watch::WatchSettings settings, support::ByteSink& log);

// No instrumented program ran, so nothing was `done`; the status for that.
int complain_of_instrumentation(std::string_view done);

}  // namespace omnium::cli
