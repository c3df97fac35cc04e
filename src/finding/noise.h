// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What a violation looks like that is true and rarely worth a person's time
// (docs/formats/patterns.md#what-is-probably-harmless). A guess, from the accesses around the cycle
// and the names: it lowers the rank of a finding and never drops one. In doubt it is nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "event/names.h"
#include "finding/excerpt.h"
#include "finding/finding.h"

namespace omnium {

enum class Noise : std::uint8_t {
  kNone,
  kReferenceCount,
  kStatisticsCounter,
  kLazyInitialization,  // that is checked twice
};
inline constexpr int kNoises = 4;
std::string_view to_string(Noise noise);  // "statistics counter"; empty for kNone

struct LooksLike {
  Noise noise = Noise::kNone;
  std::string structure;  // with the counter, of statistics; empty if they are only read
};

// `steps` are those that explain the violation.
LooksLike noise_of(const Violation& violation, std::span<const WitnessStep> steps,
                   const Excerpt& excerpt, const Names& names);

// A variable of the steps that the program uses as a lock: threads take it by an atomic update and
// give it back by a store.
std::optional<VarId> own_lock(std::span<const WitnessStep> steps, const Excerpt& excerpt);

}  // namespace omnium
