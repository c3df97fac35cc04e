// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/sample_options.h"

#include <random>

#include "cli/block_options.h"
#include "cli/number.h"
#include "wire/share.h"

namespace omnium::cli {

std::vector<Option> SampleOptions::rows() {
  return {
      {'\0', "sample", "P",
       "judge P percent of the blocks, chosen at random: the cost of a long run falls with P",
       &percent_},
      {'\0', "sample-seed", "SEED", "choose the blocks by this number (default: another each time)",
       &seed_},
  };
}

std::optional<std::string> SampleOptions::wrong() const {
  if (!percent_.empty() && !wire::parse_percent(percent_)) {
    return "--sample needs a number of percent: more than 0, at most 100, with at most four "
           "decimals";
  }
  if (!seed_.empty() && percent_.empty()) return "--sample-seed needs --sample";
  if (!seed_.empty() && !parse_count(seed_)) return "--sample-seed needs a number";
  return std::nullopt;
}

std::optional<std::uint64_t> SampleOptions::add_for_runtime(std::string& options) const {
  if (percent_.empty()) return std::nullopt;
  add_runtime_option(options, "sample", percent_);
  constexpr std::uint64_t kSeeds = 1'000'000;
  return seed_.empty() ? std::random_device()() % kSeeds : *parse_count(seed_);
}

}  // namespace omnium::cli
