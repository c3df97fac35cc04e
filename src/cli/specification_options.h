// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// -s, --exclude, --not-atomic and --profile: the same for every command that checks traces.
#pragma once

#include <optional>
#include <set>
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
  // Which blocks of this trace should be atomic. The trace must not have been read yet; a profile
  // reads it once and seeks back to its beginning.
  Result<Specification> for_trace(EventSource& source) const;

  // Call when a trace was read to its end, so that all its blocks are known.
  void look_at(const Names& names);
  // The rules that no trace has matched so far, and warnings about them.
  UnusedRules& unused() { return *unused_; }
  void warn_of_unused() const;

  const std::string& spec_file() const { return spec_; }

 private:
  std::string spec_, exclude_, profile_name_;
  Arguments not_atomic_;
  std::set<std::string> not_seen_;  // of these
  bool looked_ = false;             // at a trace
  Specification specification_;
  std::optional<UnusedRules> unused_;
  std::optional<Profile> profile_;
};

}  // namespace omnium::cli
