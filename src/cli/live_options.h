// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What `omnium run` and `omnium watch` have in common: options, the log of findings, the report at
// the end.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/block_options.h"
#include "cli/command.h"
#include "cli/log_output.h"
#include "cli/report_options.h"
#include "report/comparison.h"
#include "support/error.h"
#include "watch/watcher.h"

namespace omnium::cli {

class LiveOptions {
 public:
  std::vector<Option> rows();
  // Returns what is wrong with them, or nothing.
  std::optional<std::string> wrong() const;

  // Opens the output files and reads the specification, so that errors show before a program
  // starts.
  Result<void> prepare();

  BlockOptions& blocks() { return blocks_; }
  const ReportOptions& report() const { return report_; }

  watch::WatchSettings settings(std::string program) const;
  support::ByteSink& log() { return *log_; }
  // Writes the summary, and the report if one is wanted. True if there is a finding that is not
  // known.
  Result<bool> conclude(watch::Watcher& watcher, double seconds);
  // The same for several runs, without a summary. The names in the reports must live until it
  // returns.
  Result<bool> conclude(std::vector<report::Report> reports);
  // The answers of several engines, to the log and to the files that were asked for.
  Result<void> write(const report::Comparison& comparison);
  bool with_stats() const { return stats_; }
  bool log_to_terminal() const { return log_->to_terminal(); }

 private:
  BlockOptions blocks_;
  std::string log_path_;
  ReportOptions report_ = ReportOptions::at_the_end();
  bool stats_ = false;
  std::unique_ptr<LogOutput> log_;
  std::optional<ReportOutput> output_;
};

}  // namespace omnium::cli
