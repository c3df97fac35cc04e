// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/grading.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "engines/lowered_engine.h"
#include "engines/registry.h"
#include "finding/collector.h"

namespace omnium::predict {

namespace {

// Events that the complete search may schedule, of each kind of interleavings.
constexpr std::uint64_t kCompleteBudget = 2'000'000;

constexpr Grade grade_of(Reads reads) {
  switch (reads) {
    case Reads::kAsRecorded: return Grade::kCertain;
    case Reads::kAtomicAsRecorded: return Grade::kPossible;
    case Reads::kFree: break;
  }
  return Grade::kSpeculative;
}

// The part that is violated belongs to what the warning is about.
bool is_about(const Warning& warning, const BlockRef& transaction) {
  return warning.transaction.thread == transaction.thread &&
         warning.transaction.begin <= transaction.begin && transaction.begin <= warning.end;
}

void sort_by_begin(std::vector<Warning>& warnings) {
  std::ranges::sort(warnings, {}, [](const Warning& each) { return each.transaction.begin; });
}

Warning graded(Warning warning, const std::pair<Grade, Unserializable>& found) {
  warning.transaction = found.second.transaction;
  warning.grade = found.first;
  warning.interleaving = Interleaving{0, found.second.order};
  return warning;
}

void name_partner(Warning& warning, const BlockRef& partner) {
  std::erase(warning.partners, partner);
  warning.partners.insert(warning.partners.begin(), partner);
}

}  // namespace

RecordedViolations check_recording(const Recording& recording, Waits waits) {
  Collector findings(Collector::Wants::kFirstInstances);
  const bool attempts = std::ranges::any_of(
      recording.events(), [](const Event& event) { return event.kind == Kind::kRetry; });
  LoweredEngine engine(*find_engine(kDefaultEngine), findings, {Conflicts::kData, waits}, attempts);
  engine.consume({recording.events(), 0, recording.extent()});
  engine.finish();
  RecordedViolations found;
  found.serializable = findings.serializable();
  found.begins.resize(recording.extent().threads);
  for (const Violation& violation : findings.violations()) {
    found.begins[violation.transaction.thread.v].push_back(violation.transaction.begin);
  }
  for (auto& begins : found.begins) std::ranges::sort(begins);
  return found;
}

bool RecordedViolations::show(const Warning& warning) const {
  const auto& mine = begins[warning.transaction.thread.v];
  const auto first = std::ranges::lower_bound(mine, warning.transaction.begin);
  return first != mine.end() && *first <= warning.end;
}

bool Grading::is_small() const {
  return recording_.size() <= std::min(options_.complete_search, Exhaustive::kMostEvents);
}

void Grading::grade(MethodResult& result, World& world) {
  set_aside_recorded(result);
  // Whatever the method: commit-node is right about what it does not suspect.
  result.impossible += std::erase_if(result.undecided, [&](const Warning& warning) {
    return world.suspect(warning.transaction) == nullptr;
  });
  if (is_small()) grade_completely(result);
  if (!result.undecided.empty()) {
    constexpr std::array kLevels = {Reads::kAsRecorded, Reads::kAtomicAsRecorded};
    for (Warning& warning : search_windows(result.undecided, world, kLevels)) {
      result.warnings.push_back(std::move(warning));
    }
  }
  sort_by_begin(result.warnings);
}

void Grading::set_aside_recorded(MethodResult& result) const {
  result.recorded += std::erase_if(result.undecided,
                                   [&](const Warning& warning) { return recorded_.show(warning); });
  // A cycle of transactions none of which is violated alone.
  if (!recorded_.serializable && result.recorded == 0) result.recorded = 1;
}

const CompleteAnswers& Grading::complete() {
  if (complete_) return *complete_;
  complete_.emplace();
  Exhaustive search(recording_, options_.waits);
  for (const Reads reads : {Reads::kAsRecorded, Reads::kAtomicAsRecorded, Reads::kFree}) {
    std::uint64_t budget = std::min(options_.budget, kCompleteBudget);
    const bool all = search.run(reads, budget, [&](const Unserializable& found) {
      const auto known = [&](const auto& each) {
        return each.second.transaction == found.transaction;
      };
      if (!found.cycle && std::ranges::none_of(complete_->violated, known)) {
        complete_->violated.emplace_back(grade_of(reads), found);
      }
      if (found.cycle && !complete_->cycle) complete_->cycle.emplace(grade_of(reads), found);
      return true;
    });
    if (!all) break;
    complete_->up_to_possible = reads >= Reads::kAtomicAsRecorded;
    complete_->up_to_speculative = reads == Reads::kFree;
  }
  return *complete_;
}

void Grading::grade_completely(MethodResult& result) {
  if (result.undecided.empty()) return;
  const CompleteAnswers& all = complete();
  for (Warning& warning : std::exchange(result.undecided, {})) {
    const auto found = std::ranges::find_if(all.violated, [&](const auto& each) {
      return each.first >= Grade::kPossible && is_about(warning, each.second.transaction);
    });
    if (found == all.violated.end()) {
      if (all.up_to_possible) {
        ++result.impossible;
      } else {
        result.undecided.push_back(std::move(warning));
      }
      continue;
    }
    result.warnings.push_back(graded(std::move(warning), *found));
  }
  add_cycle(result);
}

// A cycle without a violated transaction is told if nothing better is known.
void Grading::add_cycle(MethodResult& result) {
  const auto& cycle = complete().cycle;
  const auto better = [&](const Warning& each) { return each.grade >= cycle->first; };
  if (!cycle || !recorded_.serializable || cycle->first == Grade::kSpeculative ||
      std::ranges::any_of(result.warnings, better)) {
    return;
  }
  Warning warning;
  warning.transaction = cycle->second.transaction;
  warning.grade = cycle->first;
  warning.cycle = true;
  warning.interleaving = Interleaving{0, cycle->second.order};
  result.warnings.push_back(std::move(warning));
}

std::vector<Warning> Grading::search_windows(std::vector<Warning>& warnings, World& world,
                                             std::span<const Reads> levels) {
  if (!index_) index_.emplace(recording_.events(), recording_.extent());
  WindowSearch search(recording_, *index_, world.forest, world.edges(), options_.waits);
  std::uint64_t left = options_.budget;
  std::vector<Warning> all = std::exchange(warnings, {});
  std::vector<Warning> decided;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Warning& warning = all[i];
    const SuspectUnit& suspect = *world.suspect(warning.transaction);
    if (options_.is_over != nullptr && options_.is_over()) left = 0;
    const std::uint64_t share = left / (all.size() - i);
    std::uint64_t budget = share;
    const auto found = search.find(suspect, levels, budget);
    left -= share - budget;
    if (!found) {
      warnings.push_back(std::move(warning));
      continue;
    }
    warning.transaction = found->judgement.transaction;
    warning.grade = grade_of(found->reads);
    warning.interleaving = Interleaving{found->recorded, found->then};
    name_partner(warning, found->partner);
    decided.push_back(std::move(warning));
  }
  return decided;
}

void Grading::grade_speculative(std::vector<Warning> warnings, World& world, MethodResult& result) {
  std::erase_if(warnings, [&](const Warning& warning) {
    return recorded_.show(warning) ||
           std::ranges::any_of(result.warnings, [&](const Warning& known) {
             return is_about(warning, known.transaction);
           });
  });
  if (is_small() && complete().up_to_speculative) {
    for (Warning& warning : std::exchange(warnings, {})) {
      const auto found = std::ranges::find_if(complete().violated, [&](const auto& each) {
        return is_about(warning, each.second.transaction);
      });
      if (found == complete().violated.end()) continue;
      result.speculative.push_back(graded(std::move(warning), *found));
    }
  } else if (options_.speculative) {
    constexpr std::array kLevels = {Reads::kFree};
    result.speculative = search_windows(warnings, world, kLevels);
  }
  result.perhaps_speculative = warnings.size();
  sort_by_begin(result.speculative);
}

}  // namespace omnium::predict
