// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/mode_options.h"

#include <fmt/format.h>

#include "cli/block_options.h"
#include "cli/choices.h"

namespace omnium::cli {

namespace {

std::string with_default(std::string_view word, bool is_default) {
  return fmt::format("{}{}", word, is_default ? " (default)" : "");
}

}  // namespace

std::vector<Option> ModeOptions::rows() {
  const std::string data = with_default("data", kDefaultMode.conflicts == Conflicts::kData);
  const std::string all = with_default("all", kDefaultMode.conflicts == Conflicts::kAll);
  return joined(
      {{{'\0', "conflicts", "WHICH",
         fmt::format("{}: ignore lock-order conflicts; {}: as in the papers", data, all),
         &conflicts_}},
       waits_rows(),
       {{'\0', "as-published", "", "short for --conflicts all --waits keep", &as_published_}}});
}

std::vector<Option> ModeOptions::waits_rows() {
  const std::string split = with_default("split", kDefaultMode.waits == Waits::kSplit);
  const std::string keep = with_default("keep", kDefaultMode.waits == Waits::kKeep);
  return {
      {'\0', "waits", "HOW",
       fmt::format("{}: cut a block where it waits or retries; {}: one transaction throughout",
                   split, keep),
       &waits_},
  };
}

std::optional<std::string> ModeOptions::wrong() const {
  if (!conflicts_.empty() && !find_conflicts(conflicts_)) {
    return wrong_choice("value of --conflicts", conflicts_, choices("", "conflicts"));
  }
  if (!waits_.empty() && !find_waits(waits_)) {
    return wrong_choice("value of --waits", waits_, choices("", "waits"));
  }
  if (as_published_ && mode() != kAsPublished) {
    return "--as-published means --conflicts all --waits keep, and cannot be combined with others";
  }
  return std::nullopt;
}

CheckMode ModeOptions::mode() const {
  CheckMode mode = as_published_ ? kAsPublished : kDefaultMode;
  if (!conflicts_.empty()) mode.conflicts = *find_conflicts(conflicts_);
  if (!waits_.empty()) mode.waits = *find_waits(waits_);
  return mode;
}

void ModeOptions::add_for_runtime(std::string& options) const {
  if (as_published_ || !conflicts_.empty()) {
    add_runtime_option(options, "conflicts", to_string(mode().conflicts));
  }
  if (as_published_ || !waits_.empty()) {
    add_runtime_option(options, "waits", to_string(mode().waits));
  }
}

}  // namespace omnium::cli
