// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which blocks ought to be atomic (docs/formats/spec.md).
//
//   # comment, also behind a rule
//   atomic Account::*
//   not-atomic Account::log*
//
// Globs (* and ?) over block labels; the last rule that matches decides. A label that no rule
// matches is atomic, unless some rule says `atomic`: then the file lists what is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"
#include "wire/rule.h"

namespace omnium {

// The glob that matches `text` and nothing else, but that characters which a line of a file cannot
// hold there match any.
std::string glob_for(std::string_view text);

// "not-atomic Account::log": the line that drops the blocks with this label, to be pasted into a
// file. What a terminal does not show as it is matches any character. Empty if there is no such
// line: no rule names a block without a label.
std::string not_atomic_rule(std::string_view label);

class Specification {
 public:
  struct Rule {
    std::string glob;
    bool atomic;
    Position at;  // its line; without a file if it is not of a specification file
  };

  // Adds the rules of a specification file.
  Result<void> read_file(const std::string& path);
  // Adds a list of names, one per line (RAPID's way): a block whose label contains one is not
  // atomic.
  Result<void> read_exclusions(const std::string& path);

  // Blocks of this label are not atomic, whatever rules were added before.
  void exclude(std::string_view label);

  // The rules of `other` after these.
  void append(const Specification& other);

  bool atomic(std::string_view label) const;
  bool empty() const { return rules_.empty(); }
  const std::vector<Rule>& rules() const { return rules_; }

 private:
  std::vector<Rule> rules_;
  bool lists_atomic_ = false;
};

}  // namespace omnium
