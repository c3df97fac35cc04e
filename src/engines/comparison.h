// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Engines side by side: what each one said about the same trace, and whether those that promise the
// same answer gave it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engines/checker.h"
#include "engines/engine.h"
#include "event/names.h"

namespace omnium {

inline constexpr std::size_t kMeasures = 7;

// What can be compared of a run.
struct EngineAnswer {
  using Block = std::pair<std::uint32_t, EventIndex>;  // thread, begin
  using Instance = std::pair<EventIndex, EventIndex>;  // source, sink

  std::optional<bool> serializable;  // none: the engine does not say
  std::set<Block> transactions;      // with a violation
  std::set<Block> refuted;
  std::set<Instance> instances;
  std::uint64_t witnesses = 0;
  std::uint64_t distinct_witnesses = 0;    // by labels and kinds of dependencies
  std::uint64_t distinct_transactions = 0;  // by the sequence of transactions, as Davida counts
  std::uint64_t events = 0;
  double seconds = 0;
  std::optional<EventIndex> detected_at;   // as in CheckOutcome
  std::optional<double> seconds_to_first;  // as in CheckOutcome
  std::array<std::optional<std::uint64_t>, kMeasures> measures;  // by Measure
};

// Of a run with every instance.
EngineAnswer answer_of(const EngineInfo& engine, const CheckOutcome& outcome, const Names& names);

struct ComparedEngine {
  const EngineInfo* info = nullptr;
  std::optional<EngineAnswer> answer;  // none: it did not finish
  std::string why_not;                 // then: "timeout", "killed by signal 9", an error
  std::uint64_t peak_bytes = 0;
};

// One sentence per pair of engines whose promises contradict each other; empty if all is well.
std::vector<std::string> disagreements(const std::vector<ComparedEngine>& engines);

}  // namespace omnium
