// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "finding/cause.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace omnium {

namespace {

// Lengths in front keep the parts apart whatever they contain.
void add(std::string& key, std::string_view part) {
  key += fmt::format("{}:", part.size());
  key += part;
}

void add_label(std::string& key, const BlockRef& block, const Names& names) {
  if (block.label.is_none()) {
    key += "unary;";
  } else {
    add(key, names.labels.name(block.label.v));
  }
}

void add_object(std::string& key, const Dependency& dependency, const Names& names) {
  if (is_data(dependency.kind)) add(key, names.variables.name(dependency.object));
  if (dependency.kind == DependencyKind::kReleaseAcquire) {
    add(key, names.locks.name(dependency.object));
  }
}

}  // namespace

std::string cause_key(const BlockRef& block, std::span<const WitnessStep> steps,
                      const Pattern& pattern, const Names& names) {
  std::string key;
  add_label(key, block, names);
  add(key, to_string(pattern));
  for (const WitnessStep& step : steps) {
    if (&step != &steps.front()) add_label(key, step.from, names);
    add_object(key, step.dependency, names);
  }
  return key;
}

std::string cause_id(const std::string& key) {
  const std::uint64_t hash = XXH3_64bits(key.data(), key.size());
  return fmt::format("av-{:08x}", static_cast<std::uint32_t>(hash ^ hash >> 32));
}

}  // namespace omnium
