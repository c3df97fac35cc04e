// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// -s and --blocks: the same for every command that listens to an instrumented program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "spec/specification.h"
#include "support/error.h"

namespace omnium::cli {

class BlockOptions {
 public:
  // Rows for the command's table of options.
  std::vector<Option> rows();
  // Returns what is wrong with them, or nothing.
  std::optional<std::string> wrong() const;

  // The value of OMNIUM_OPTIONS for the runtime: the user's own, followed by these options. Options
  // that were not given take their value from the variable.
  Result<std::string> for_runtime();
  Result<void> read_specification();

  const Specification& specification() const { return specification_; }
  const std::string& spec_file() const { return spec_; }
  bool functions_are_blocks() const { return blocks_.starts_with("functions"); }

 private:
  std::string spec_, blocks_;
  Specification specification_;
};

// Both, the second after the first.
std::string with_runtime_options(std::string options, std::string_view more);
// "key=value" behind the options that are there already.
void add_runtime_option(std::string& options, std::string_view key, std::string_view value);

}  // namespace omnium::cli
