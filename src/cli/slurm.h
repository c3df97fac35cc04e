// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// --slurm: the shards of a command as a job array of Slurm, and a job that merges what they found
// (docs/scaling.md#slurm).
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/report_options.h"

namespace omnium::cli {

// What is to be done in shards: the words of the command as they were given, and the program after
// them, if it takes one.
struct SlurmWork {
  const Arguments& words;
  const Arguments& program;
  const ReportOptions& report;
};

class SlurmOptions {
 public:
  // A row for the command's table of options.
  std::vector<Option> rows();

  bool wanted() const { return !tasks_.empty(); }
  // Hands the work to Slurm, and prints how to watch it. Returns the exit status.
  int submit(const Manual& manual, const SlurmWork& work) const;

 private:
  std::string tasks_;
};

}  // namespace omnium::cli
