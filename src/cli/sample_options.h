// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// --sample and --sample-seed: which share of the blocks is judged (docs/runtime/sampling.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"

namespace omnium::cli {

class SampleOptions {
 public:
  std::vector<Option> rows();
  // What is wrong with the values; none: nothing.
  std::optional<std::string> wrong() const;
  bool wanted() const { return !percent_.empty(); }
  // Adds the share to the options of the runtime. Returns the seed, which the caller adds: all
  // processes of a program have the same. None: all blocks are judged.
  std::optional<std::uint64_t> add_for_runtime(std::string& options) const;

 private:
  std::string percent_, seed_;
};

}  // namespace omnium::cli
