// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// `check -e all`: several engines on the same trace, each in a process of its own, so that one that
// runs out of time or memory stops only itself and peak memory is each engine's own.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>

#include "cli/specification_options.h"
#include "engines/registry.h"
#include "report/comparison.h"

namespace omnium::cli {

// An error of the input: no engine can check it.
Result<report::Comparison> compare_engines(const std::string& path,
                                           std::span<const EngineEntry* const> engines,
                                           SpecificationOptions& specification, CheckMode mode,
                                           std::optional<std::chrono::seconds> timeout);

}  // namespace omnium::cli
