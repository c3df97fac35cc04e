// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/unused_rules.h"

#include <fmt/format.h>

namespace omnium {

UnusedRules::UnusedRules(const Specification& specification)
    : rules_(specification.rules()), used_(rules_.size(), false) {}

void UnusedRules::see(std::string_view name) {
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    if (!used_[i]) used_[i] = glob_match(rules_[i].glob, name);
  }
}

std::vector<std::string> UnusedRules::warnings(std::string_view what) const {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    const auto& [glob, atomic, at] = rules_[i];
    if (used_[i] || at.file.empty()) continue;
    out.push_back(fmt::format("{}:{}: '{} {}' matches {}", at.file, at.line,
                              atomic ? "atomic" : "not-atomic", glob, what));
  }
  return out;
}

}  // namespace omnium
