// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// One of the many runs of a hunt: watched, silent, and ended if it does not end by itself.
#pragma once

#include <string>

#include "cli/watched_run.h"
#include "hunt/failure.h"
#include "watch/fork_server.h"

namespace omnium::cli {

enum class Ending {
  kExit,
  kSignal,
  kDeadlock,
  kTooLong,
  kCut,  // the hunt was over, or a signal came: this says nothing about the program
};

struct HuntedRun {
  WatchedRun run;
  Ending ending = Ending::kExit;
  bool interrupted = false;  // a signal came
  double seconds = 0;
  std::string output;             // the end of what the program wrote
  std::string memory_error;       // what it did to freed memory; empty: nothing
  bool freed_twice = false;       // then: what it did was to free it
  std::string used_at, freed_at;  // then: where, and where it was freed before; empty: not known
  std::string crashed_at;         // where a signal killed it; empty: not known
  hunt::Assertion assertion;      // that failed
  std::vector<report::LockWait> waits;  // of a deadlock

  // How it ended. `program` is its path.
  hunt::FailedRun failure(const std::string& program) const;
};

struct HuntedRunOptions {
  std::string runtime;                  // OMNIUM_OPTIONS
  std::string output_file;              // for what the program writes
  double limit = 10;                    // seconds until it is too long
  double left = 60;                     // seconds until the hunt is over
  watch::ForkServer* server = nullptr;  // starts it, if it is alive
};

Result<HuntedRun> run_hunted(const watch::Program& program, const HuntedRunOptions& options,
                             watch::WatchSettings settings, support::ByteSink& log);

}  // namespace omnium::cli
