// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "workload/workload.h"

#include <array>
#include <vector>

#include <fmt/format.h>

#include "support/suggestion.h"
#include "workload/family.h"
#include "workload/interleaver.h"

namespace omnium {

namespace workload {

std::optional<std::string> at_least(std::string_view what, std::uint64_t minimum,
                                    std::uint64_t given) {
  if (given >= minimum) return std::nullopt;
  return fmt::format("needs at least {} {}, got {}", minimum, what, given);
}

namespace {

// Names are kept in memory: some 30 bytes each.
constexpr std::uint32_t kMostNames = 50'000'000;

constexpr std::array<const FamilyEntry*, 11> kEntries = {
    &kLocks, &kPrivate,  &kReadShared, &kLongTxn, &kPipeline, &kChain,
    &kStar,  &kForkJoin, &kRandom,     &kAtomics, &kWaits};

std::optional<std::string> at_most(std::string_view what, std::uint64_t maximum,
                                   std::uint64_t given) {
  if (given <= maximum) return std::nullopt;
  return fmt::format("allows at most {} {}, got {}", maximum, what, given);
}

std::optional<std::string> wrong_sizes(const FamilyEntry& entry, const WorkloadOptions& options) {
  if (auto wrong = at_most("threads", kMaxThreads, options.threads)) return wrong;
  if (auto wrong = at_most("variables", kMostNames, options.variables)) return wrong;
  if (auto wrong = at_most("locks", kMostNames, options.locks)) return wrong;
  if (auto wrong = entry.wrong_sizes(options)) return wrong;
  if (!options.violate) return std::nullopt;
  auto wrong = at_least("threads", 2, options.threads);
  if (!wrong) wrong = at_least("events", Interleaver::kLeastEventsToPlant, options.events);
  if (wrong) *wrong += " (to plant a violation)";
  return wrong;
}

}  // namespace
}  // namespace workload

std::span<const WorkloadFamily> workload_families() {
  static const auto families = [] {
    std::array<WorkloadFamily, workload::kEntries.size()> all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = workload::kEntries[i]->family;
    return all;
  }();
  return families;
}

Result<std::unique_ptr<EventSource>> make_workload(std::string_view family,
                                                   const WorkloadOptions& options) {
  for (const workload::FamilyEntry* entry : workload::kEntries) {
    if (entry->family.name != family) continue;
    if (const auto wrong = workload::wrong_sizes(*entry, options)) {
      return fail({}, fmt::format("family {}: {}", family, *wrong));
    }
    return std::make_unique<workload::Interleaver>(*entry, options);
  }
  std::vector<std::string_view> known;
  for (const WorkloadFamily& it : workload_families()) known.push_back(it.name);
  return fail({}, support::unknown("family", family, known));
}

}  // namespace omnium
