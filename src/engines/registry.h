// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// All engines, in the order in which `-e all` shows them. A line here puts an engine into the
// command line, the differential tester, the fuzzers and the benchmarks.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "engines/engine.h"

namespace omnium {

struct EngineEntry {
  const EngineInfo& info;
  std::unique_ptr<Engine> (*make)(FindingSink& sink);
};

std::span<const EngineEntry> all_engines();
// These and then variants of them, named by an option: "velodrome --no-merge".
std::span<const EngineEntry> engines_and_variants();

// nullptr if there is none of that name.
const EngineEntry* find_engine(std::string_view name);

inline constexpr std::string_view kDefaultEngine = "reach";

}  // namespace omnium
