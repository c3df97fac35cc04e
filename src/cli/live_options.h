// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What `omnium run` and `omnium watch` have in common: options, where things are told, the report
// at the end.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/block_options.h"
#include "cli/command.h"
#include "cli/log_output.h"
#include "cli/report_options.h"
#include "support/error.h"
#include "watch/watcher.h"

namespace omnium::cli {

class LiveOptions {
 public:
  std::vector<Option> rows();
  // What is wrong with them; nothing if all is well.
  std::optional<std::string> wrong() const;

  // Opens what will be written and reads the specification: everything that can be wrong is found
  // out before a program starts.
  Result<void> prepare();

  BlockOptions& blocks() { return blocks_; }

  watch::WatchSettings settings(std::string program) const;
  support::ByteSink& log() { return *log_; }
  // The summary, and the report if one is wanted. Was something found that is not known already?
  Result<bool> conclude(watch::Watcher& watcher, double seconds);

 private:
  BlockOptions blocks_;
  std::string log_path_;
  ReportOptions report_ = ReportOptions::at_the_end();
  bool stats_ = false;
  std::unique_ptr<LogOutput> log_;
  std::optional<ReportOutput> output_;
};

}  // namespace omnium::cli
