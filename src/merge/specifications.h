// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Specifications that `omnium refine` wrote for shards of the traces, as one for all of them.
#pragma once

#include <span>
#include <string>

#include "support/error.h"

namespace omnium::merge {

// The rules that all have above the line of omnium refine, which must be the same, and the rules
// below it, each once and sorted. `paths` is for messages.
Result<std::string> merged_specification(std::span<const std::string> texts,
                                         std::span<const std::string> paths);

}  // namespace omnium::merge
