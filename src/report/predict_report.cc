// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/predict_report.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <xxhash.h>

namespace omnium::report {

Block PredictReport::block(const BlockRef& ref) const {
  Block block{names.threads.name(ref.thread.v), std::nullopt, ref.begin};
  if (!ref.label.is_none()) block.label = names.labels.name(ref.label.v);
  return block;
}

std::string_view PredictReport::location(EventIndex event) const {
  const LocId loc = trace.events[event].loc();
  return loc.is_none() ? std::string_view{} : names.locations.name(loc.v);
}

std::string_view PredictReport::object(const predict::Warning& warning) const {
  if (!warning.variable.is_none()) return names.variables.name(warning.variable.v);
  if (!warning.lock.is_none()) return names.locks.name(warning.lock.v);
  return {};
}

const Marks* PredictReport::marks_of(const predict::Warning& warning) const {
  const auto at = marks.find(warning.transaction.begin);
  return at == marks.end() ? nullptr : &at->second;
}

std::string_view PredictReport::witness(const predict::Warning& warning) const {
  const auto at = witnesses.find(warning.transaction.begin);
  return at == witnesses.end() ? std::string_view{} : at->second;
}

std::string PredictReport::id(const predict::Warning& warning) const {
  std::vector<std::string_view> parts;
  for (const BlockRef& partner : warning.partners) {
    parts.push_back(partner.label.is_none() ? "" : names.labels.name(partner.label.v));
  }
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  parts.push_back(names.labels.name(warning.transaction.label.v));
  parts.push_back(object(warning));
  std::string key;
  for (const std::string_view part : parts) key += fmt::format("{}:{};", part.size(), part);
  return fmt::format("{:016x}", XXH64(key.data(), key.size(), 0));
}

}  // namespace omnium::report
