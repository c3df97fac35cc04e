// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "finding/cause.h"

#include <algorithm>
#include <vector>

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

// "offset 0 of a 64-byte allocation at bank.cpp:31" is the same object when the line moves.
std::string without_line(std::string_view object) {
  std::string out(object);
  const std::size_t colon = out.rfind(':');
  if (out.find("-byte allocation at ") < colon && colon != std::string::npos) {
    out.erase(colon, out.find_first_not_of("0123456789", colon + 1) - colon);
  }
  return out;
}

void add_object(std::string& key, const Dependency& dependency, const Names& names) {
  if (is_data(dependency.kind)) add(key, without_line(names.variables.name(dependency.object)));
  if (dependency.kind == DependencyKind::kReleaseAcquire) {
    add(key, without_line(names.locks.name(dependency.object)));
  }
}

std::uint32_t short_hash(const std::string& key) {
  const std::uint64_t hash = XXH3_64bits(key.data(), key.size());
  return static_cast<std::uint32_t>(hash ^ hash >> 32);
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

std::string cause_id(const std::string& key) { return fmt::format("av-{:08x}", short_hash(key)); }

std::string cycle_id(std::span<const BlockRef> transactions, const Names& names) {
  std::vector<std::string> labels(transactions.size());
  for (std::size_t i = 0; i < labels.size(); ++i) add_label(labels[i], transactions[i], names);
  std::ranges::sort(labels);
  std::string key;
  for (const std::string& label : labels) key += label;
  return fmt::format("ns-{:08x}", short_hash(key));
}

}  // namespace omnium
