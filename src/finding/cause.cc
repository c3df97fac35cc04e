// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "finding/cause.h"

#include <set>

#include <fmt/format.h>
#include <xxhash.h>

#include "finding/function_class.h"
#include "finding/object_class.h"
#include "finding/pattern.h"
#include "support/place.h"

namespace omnium {

namespace {

// Lengths in front keep the parts apart whatever they contain.
void add(std::string& key, std::string_view part) {
  key += fmt::format("{}:", part.size());
  key += part;
}

std::string label_part(std::optional<std::string_view> label) {
  std::string part;
  if (label) {
    add(part, function_class(*label));
  } else {
    part = "unary;";
  }
  return part;
}

std::uint32_t short_hash(const std::string& key) {
  const std::uint64_t hash = XXH3_64bits(key.data(), key.size());
  return static_cast<std::uint32_t>(hash ^ hash >> 32);
}

}  // namespace

std::string_view object_of(const Dependency& dependency, const Names& names) {
  if (is_data(dependency.kind)) return names.variables.name(dependency.object);
  if (dependency.kind == DependencyKind::kReleaseAcquire) {
    return names.locks.name(dependency.object);
  }
  if (dependency.kind == DependencyKind::kSignalAwait) {
    return names.signals.name(dependency.object);
  }
  return names.threads.name(dependency.object);
}

Closing closing_of(const Dependency& dependency, std::string_view location, const Names& names) {
  const bool is_thread =
      dependency.kind == DependencyKind::kFork || dependency.kind == DependencyKind::kJoin;
  const support::Place place = support::place_of(location);
  const bool named = !is_thread && !place.in_library;
  return {place.function, named ? object_of(dependency, names) : ""};
}

std::string cause_key(std::optional<std::string_view> block, const Closing& closing) {
  std::string key = label_part(block);
  add(key, function_class(closing.function));
  add(key, object_class(closing.object));
  return key;
}

std::string function_cause_key(std::string_view function) {
  std::string key = "function;";
  add(key, function_class(function));
  return key;
}

std::string statistics_cause_key(std::string_view structure) {
  std::string key = "statistics;";
  add(key, structure);
  return key;
}

std::string cause_id(const std::string& key) { return fmt::format("av-{:08x}", short_hash(key)); }

std::string cycle_id(std::span<const BlockRef> transactions, const Names& names,
                     bool by_function) {
  if (by_function && transactions.size() > 2) transactions = transactions.first(1);
  std::set<std::string> labels;
  for (const BlockRef& block : transactions) {
    labels.insert(block.label.is_none() ? label_part(std::nullopt)
                                        : label_part(names.labels.name(block.label.v)));
  }
  std::string key;
  for (const std::string& label : labels) key += label;
  return fmt::format("ns-{:08x}", short_hash(key));
}

}  // namespace omnium
