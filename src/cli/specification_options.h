// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// -s, --exclude and --profile: the same for every command that checks traces.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "event/source.h"
#include "spec/profile.h"
#include "spec/specification.h"
#include "spec/unused_rules.h"

namespace omnium::cli {

class SpecificationOptions {
 public:
  // Rows for the command's table of options.
  std::vector<Option> rows();

  // Reads the files; call once after parsing.
  Result<void> read();
  // What ought to be atomic in this trace, which has not been read yet. With a profile the trace is
  // read once to find out, and then from its beginning again.
  Result<Specification> for_trace(EventSource& source) const;

  // The trace was read to its end: its blocks are known.
  void look_at(const Names& names);
  // What the traces together have matched, and warnings about lines that matched nothing.
  UnusedRules& unused() { return *unused_; }
  void warn_of_unused() const;

  const std::string& spec_file() const { return spec_; }

 private:
  std::string spec_, exclude_, profile_name_;
  Specification specification_;
  std::optional<UnusedRules> unused_;
  std::optional<Profile> profile_;
};

}  // namespace omnium::cli
