// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/unused_rules.h"

#include <algorithm>

#include <fmt/format.h>

namespace omnium {

UnusedRules::UnusedRules(const Specification& specification)
    : rules_(specification.rules()), used_(rules_.size(), false), inlined_(rules_.size(), false) {}

void UnusedRules::see(std::string_view name) {
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    if (!used_[i]) used_[i] = glob_match(rules_[i].glob, name);
  }
}

void UnusedRules::see_inlined(std::string_view name) {
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    if (!used_[i] && !inlined_[i]) inlined_[i] = glob_match(rules_[i].glob, name);
  }
}

bool UnusedRules::any() const { return std::ranges::find(used_, false) != used_.end(); }

std::vector<std::string> UnusedRules::warnings(std::string_view what) const {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    const auto& [glob, atomic, at] = rules_[i];
    if (used_[i] || at.file.empty()) continue;
    constexpr std::string_view kInlined =
        "only functions that were inlined; build with OMNIUM_FUNCTIONS=all";
    out.push_back(fmt::format("{}:{}: '{} {}' matches {}", at.file, at.line,
                              atomic ? "atomic" : "not-atomic", glob,
                              inlined_[i] ? kInlined : what));
  }
  return out;
}

}  // namespace omnium
