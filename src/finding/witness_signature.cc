// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "finding/witness_signature.h"

#include <fmt/format.h>

namespace omnium {

std::string witness_signature(std::span<const WitnessStep> witness, const Names& names) {
  const auto label = [&](const BlockRef& block) {
    if (block.label.is_none()) return std::string("-");
    const std::string_view name = names.labels.name(block.label.v);
    return fmt::format("{}:{}", name.size(), name);
  };
  std::string text;
  for (const WitnessStep& step : witness) {
    text +=
        fmt::format("{}>{}={};", label(step.from), label(step.to), to_string(step.dependency.kind));
  }
  return text;
}

}  // namespace omnium
