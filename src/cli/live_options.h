// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What `omnium run` and `omnium watch` have in common: options, where things are told, the report
// at the end.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/log_output.h"
#include "live/watcher.h"
#include "support/error.h"
#include "support/output_file.h"

namespace omnium::cli {

class LiveOptions {
 public:
  std::vector<Option> rows();
  // What is wrong with them; nothing if all is well.
  std::optional<std::string> wrong() const;

  // Opens what will be written and reads the specification: everything that can be wrong is found
  // out before a program starts.
  Result<void> prepare();

  const std::string& spec() const { return spec_; }
  const std::string& blocks() const { return blocks_; }
  // Where the user asked the runtime itself for a specification or a kind of blocks.
  void take_defaults(std::string spec, std::string blocks);

  live::WatchSettings settings(std::string program) const;
  support::ByteSink& log() { return *log_; }
  // The summary, and the report if one is wanted.
  Result<void> conclude(live::Watcher& watcher, double seconds);

 private:
  std::string spec_, blocks_, log_path_, output_path_;
  std::string format_ = "text";
  std::string colour_ = "auto";
  bool stats_ = false;
  Specification specification_;
  std::unique_ptr<LogOutput> log_;
  std::unique_ptr<support::OutputFile> output_;  // null: no report
};

}  // namespace omnium::cli
