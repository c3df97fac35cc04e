// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// `omnium run -e NAME`: a run that engines of `omnium check` follow, instead of the checker in the
// program. With -e all both do, and their answers are compared.
#pragma once

#include <optional>
#include <string>

#include "cli/command.h"
#include "cli/live_options.h"
#include "cli/mode_options.h"
#include "watch/program.h"

namespace omnium::cli {

struct LiveEngines {
  std::string engine;  // empty: the checker in the program
  std::string trace;   // where the trace is kept; empty: it is not
  bool refines = true;
  bool require_blocks = false;

  std::vector<Option> rows();
  bool compares() const { return engine == "all"; }
  // Returns what is wrong with them, or nothing.
  std::optional<std::string> wrong(const ReportOptions& report) const;
};

// `options` are those of the runtime. Returns the exit status.
int run_with_engines(const LiveEngines& wanted, LiveOptions& live, const ModeOptions& mode,
                     std::string options, const watch::Program& program);

}  // namespace omnium::cli
