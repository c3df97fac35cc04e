// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Every run of a program, one by one, by interpreting its text: no steps, no monitor, no merging.
// Each run is judged by the reference. For programs with a few hundred runs.
#pragma once

#include <cstdint>
#include <optional>

#include "event/check_mode.h"
#include "model/program.h"

namespace omnium::test {

struct NaiveVerdict {
  bool complete = true;  // false: there are more runs than were allowed
  std::uint64_t runs = 0;
  std::optional<std::size_t> shortest_violation;  // events
  std::optional<std::size_t> shortest_fault;      // events before it
  bool deadlock = false;
};

NaiveVerdict judge_all_runs(const model::Program& program, CheckMode mode, std::uint64_t most_runs);

}  // namespace omnium::test
