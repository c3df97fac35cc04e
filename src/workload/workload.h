// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Generated traces: a family, a size, a seed. The same options give the same trace everywhere.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "event/source.h"
#include "support/error.h"

namespace omnium {

struct WorkloadOptions {
  std::uint64_t events = 1'000'000;  // exactly this many are generated
  std::uint32_t threads = 8;
  std::uint32_t variables = 1'000;
  std::uint32_t locks = 16;
  std::uint64_t seed = 1;
  bool violate = false;  // plant one violation in the last 1 %; otherwise the trace is serializable
};

struct WorkloadFamily {
  std::string_view name;
  std::string_view summary;
};

std::span<const WorkloadFamily> workload_families();

// An error for an unknown family or sizes that the family cannot have.
Result<std::unique_ptr<EventSource>> make_workload(std::string_view family,
                                                   const WorkloadOptions& options);

}  // namespace omnium
