// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// --conflicts, --waits and --as-published: the same for every command that checks traces.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "event/check_mode.h"

namespace omnium::cli {

class ModeOptions {
 public:
  // Rows for the command's table of options.
  std::vector<Option> rows();
  // Where locks never conflict: --waits alone.
  std::vector<Option> waits_rows();
  // What is wrong with them; nothing if all is well.
  std::optional<std::string> wrong() const;

  // Only if nothing is wrong.
  CheckMode mode() const;
  // What was given, as options of the runtime behind those that are there already. What was not
  // given is left to the runtime.
  void add_for_runtime(std::string& options) const;

 private:
  std::string conflicts_, waits_;
  bool as_published_ = false;
};

}  // namespace omnium::cli
