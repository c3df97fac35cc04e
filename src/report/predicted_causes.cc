// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/predicted_causes.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "engines/checker.h"
#include "finding/cause.h"
#include "report/build.h"
#include "report/changed_read.h"
#include "report/interleaving_window.h"
#include "report/object_names.h"

namespace omnium::report {

namespace {

using predict::Warning;

Status status_of(const Warning& warning) {
  return warning.grade == predict::Grade::kCertain ? Status::kCertain : Status::kPossible;
}

// Leaves only what the warning is about. False if it is not there.
bool keep_only(EventIndex transaction, bool cycle, CheckOutcome& outcome) {
  const auto is_it = [&](const auto& block) { return block.begin == transaction; };
  if (cycle) {
    return outcome.violations.empty() && outcome.cycle &&
           std::ranges::any_of(outcome.cycle->transactions, is_it);
  }
  std::erase_if(outcome.violations,
                [&](const omnium::Violation& it) { return !is_it(it.transaction); });
  return !outcome.violations.empty();
}

class Explaining {
 public:
  Explaining(const predict::LoadedTrace& trace, const Names& names, Waits waits,
             std::size_t pictures, PredictedCauses& out)
      : trace_(trace),
        names_(names),
        changed_reads_(trace),
        waits_(waits),
        pictures_(pictures),
        out_(out) {}

  void add(const Warning& warning, std::size_t index, InterleavingWindow window) {
    auto cause = explained(warning, window);
    if (!cause) cause = unexplained(warning);
    cause->status = status_of(warning);
    cause->count = warning.copies;
    out_.ids[index] = cause->id;
    const auto [at, is_new] = place_.emplace(cause->id, out_.causes.size());
    if (is_new) {
      out_.causes.emplace_back();
    } else if (Cause& had = out_.causes[at->second]; !shown_before(*cause, had)) {
      had.count += cause->count;
      return;
    }
    Cause& shown = out_.causes[at->second];
    cause->count += shown.count;
    cause->changed_read = changed_read(warning);
    shown = std::move(*cause);
    out_.names.push_back(std::move(window.trace.names));
  }

 private:
  std::optional<Cause> explained(const Warning& warning, const InterleavingWindow& window) const {
    const EngineEntry& engine = *find_engine(kDefaultEngine);
    MemorySource source(window.trace);
    CheckOptions options;
    options.mode = {Conflicts::kData, waits_};
    auto outcome = check_trace(source, engine, options);
    if (!outcome || !keep_only(window.transaction, warning.cycle, *outcome)) return std::nullopt;
    outcome->by_function = trace_.undeclared;
    const std::size_t pictures = out_.causes.size() < pictures_ ? 1 : 0;
    Report report = report_outcome(source, "", engine, *outcome, {pictures});
    return warning.cycle ? report.cycle_cause : report.causes.front();
  }

  std::optional<EventView> changed_read(const Warning& warning) const {
    if (warning.grade == predict::Grade::kCertain) return std::nullopt;
    const EventIndex index = changed_reads_.first_of(*warning.interleaving);
    if (index == kNoEvent) return std::nullopt;
    const Event& event = trace_.events[index];
    return EventView{index, event.kind, names_.threads.name(event.thread_id),
                     object_name(event, names_), position(event.loc(), names_)};
  }

  // What is known without a look at the interleaving.
  Cause unexplained(const Warning& warning) const {
    const auto block = [&](const BlockRef& ref) {
      Block out{names_.threads.name(ref.thread.v), std::nullopt, kNoEvent};
      if (!ref.label.is_none()) out.label = names_.labels.name(ref.label.v);
      return out;
    };
    Cause cause;
    std::vector<BlockRef> cycle{warning.transaction};
    cycle.insert(cycle.end(), warning.partners.begin(), warning.partners.end());
    cause.id = cycle_id(cycle, names_);
    cause.pattern = fmt::format("cycle of {} transactions", cycle.size());
    cause.block = block(warning.transaction);
    for (const BlockRef& partner : warning.partners) cause.partners.push_back(block(partner));
    cause.blamed = false;
    return cause;
  }

  // Is `a` the better one to show of two with the same cause?
  static bool shown_before(const Cause& a, const Cause& b) {
    const auto rank = [](const Cause& it) {
      return std::tuple(it.status, is_noise(it), it.partners.size());
    };
    return rank(a) < rank(b);
  }

  const predict::LoadedTrace& trace_;
  const Names& names_;
  ChangedReads changed_reads_;
  Waits waits_;
  std::size_t pictures_;
  PredictedCauses& out_;
  std::unordered_map<std::string, std::size_t> place_;  // by id: index into causes
};

}  // namespace

PredictedCauses predicted_causes(std::span<const Warning> warnings,
                                 const predict::LoadedTrace& trace, const Names& names, Waits waits,
                                 std::size_t pictures) {
  PredictedCauses out;
  out.ids.resize(warnings.size());
  Explaining explaining(trace, names, waits, pictures, out);
  for_each_window(warnings, trace, names, [&](std::size_t index, InterleavingWindow window) {
    explaining.add(warnings[index], index, std::move(window));
  });
  std::ranges::stable_sort(out.causes, {}, [](const Cause& cause) {
    return std::tuple(is_noise(cause), cause.status, cause.partners.size());
  });
  return out;
}

}  // namespace omnium::report
