// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "watch/run_findings.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "engines/registry.h"
#include "finding/callers.h"
#include "finding/object_class.h"

namespace omnium::watch {

namespace {

const report::Cause& cause_of(const report::Report& report) {
  return report.causes.empty() ? *report.cycle_cause : report.causes.front();
}

// What is better to show is less: explained, of accesses alone, short.
auto rank(const report::Cause& cause) {
  const auto& sentences = cause.picture.sentences;
  const bool about_data = std::ranges::all_of(sentences, [](const report::Sentence& it) {
    return is_access(it.first.kind) && is_access(it.second.kind);
  });
  return std::tuple(!cause.explained, !about_data, sentences.size());
}

bool is_cycle(const report::Report& report) { return report.causes.empty(); }

// Place and object of each access of the picture. Empty if something else is in it, or if a place
// is not known.
std::set<std::string> accesses_of(const report::Cause& cause) {
  std::set<std::string> out;
  for (const report::Sentence& sentence : cause.picture.sentences) {
    for (const report::EventView* event : {&sentence.first, &sentence.second}) {
      if (!is_access(event->kind) || event->location.empty()) return {};
      out.insert(fmt::format("{} {}", event->location, object_class(event->object)));
    }
  }
  return out;
}

// Is a block with one of these labels part of the cycle?
bool takes_part(const Labels& labels, const report::Report& cycle) {
  return std::ranges::any_of(
      cycle.cycle, [&](const report::Block& it) { return labels.contains(it.label); });
}

// Refinement may still drop a function that the cycle needs.
bool waits_for_end(const LiveFinding& finding) {
  return finding.refines && is_cycle(finding.report);
}

std::uint64_t times_seen(const std::vector<std::uint32_t>& numbers,
                         const wire::Counters& counters) {
  std::uint64_t seen = 0;
  for (const std::uint32_t number : numbers) {
    seen += std::max<std::uint64_t>(counters.seen[number], 1);
  }
  return seen;
}

}  // namespace

std::optional<std::string_view> RunFindings::kept(std::optional<std::string_view> label) {
  if (label) label = *labels_.emplace(*label).first;
  return label;
}

report::Variant RunFindings::variant_of(const report::Cause& cause) {
  report::Variant out;
  out.pattern = cause.pattern;
  for (const report::Block& partner : cause.partners) {
    out.partners.push_back(kept(partner.label));
  }
  std::ranges::sort(out.partners);
  out.partners.erase(std::unique(out.partners.begin(), out.partners.end()), out.partners.end());
  return out;
}

std::vector<RunFindings::Way>::iterator RunFindings::way_of(report::Variant variant,
                                                            std::vector<Way>& ways) {
  const auto way = std::ranges::find_if(ways, [&](const Way& it) {
    return it.variant.pattern == variant.pattern && it.variant.partners == variant.partners;
  });
  return way != ways.end() ? way : ways.insert(way, {std::move(variant), {}});
}

bool RunFindings::add(std::unique_ptr<LiveFinding> finding) {
  const std::string key = cause_of(finding->report).id;
  const bool cycle = is_cycle(finding->report);
  const bool waits = waits_for_end(*finding);
  const bool is_new = keep(std::move(finding));
  if (cycle) {
    const auto at = std::ranges::find(kept_, key, &Kept::key) - kept_.begin();
    return !fold_cycle(static_cast<std::size_t>(at)) && is_new && !waits;
  }
  for (std::size_t i = kept_.size(); i-- > 0;) {
    if (is_cycle(kept_[i].finding->report)) fold_cycle(i);
  }
  return is_new;
}

bool RunFindings::keep(std::unique_ptr<LiveFinding> finding) {
  const report::Cause& cause = cause_of(finding->report);
  const std::uint32_t number = finding->number;
  if (finding->by_function) note_calls(cause);
  if (finding->refines) {
    for (const report::Block& block : finding->report.refuted) {
      if (block.label) note_not_atomic(std::string(*block.label));
    }
  }
  report::Variant variant = variant_of(cause);
  const auto known = std::ranges::find(kept_, cause.id, &Kept::key);
  if (known == kept_.end()) {
    Kept& kept = kept_.emplace_back();
    kept.key = cause.id;
    kept.ways = {{std::move(variant), {number}}};
    kept.noise = cause.noise;
    kept.functions = {this->kept(cause.block.label)};
    kept.accesses = accesses_of(cause);
    kept.waits = waits_for_end(*finding);
    kept.finding = std::move(finding);
    return true;
  }
  auto& ways = known->ways;
  // The parent and the child of a fork may both tell of a finding.
  for (const Way& way : ways) {
    if (std::ranges::find(way.numbers, number) != way.numbers.end()) return false;
  }
  const auto way = way_of(std::move(variant), ways);
  way->numbers.push_back(number);
  if (known->noise != cause.noise) known->noise = Noise::kNone;
  known->functions.insert(kept(cause.block.label));
  known->accesses.merge(accesses_of(cause));
  if (rank(cause) < rank(cause_of(known->finding->report))) {
    known->finding = std::move(finding);
    std::rotate(ways.begin(), way, way + 1);
  }
  return false;
}

bool RunFindings::fold_cycle(std::size_t at) {
  Kept& cycle = kept_[at];
  if (cycle.accesses.empty()) return false;
  const auto cause = std::ranges::find_if(kept_, [&](const Kept& it) {
    const report::Report& report = it.finding->report;
    return !is_cycle(report) && takes_part(it.functions, cycle.finding->report) &&
           std::ranges::includes(it.accesses, cycle.accesses);
  });
  if (cause == kept_.end()) return false;
  add_as_way(cycle, *cause);
  kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(at));
  return true;
}

void RunFindings::add_as_way(Kept& cycle, Kept& cause) {
  report::Cause seen = cause_of(cycle.finding->report);
  // Who else took part: all but one block of the cause.
  seen.partners = cycle.finding->report.cycle;
  seen.partners.erase(std::ranges::find_if(
      seen.partners, [&](const report::Block& it) { return cause.functions.contains(it.label); }));
  const auto way = way_of(variant_of(seen), cause.ways);
  for (const Way& it : cycle.ways) {
    for (const std::uint32_t number : it.numbers) {
      if (std::ranges::find(way->numbers, number) == way->numbers.end()) {
        way->numbers.push_back(number);
      }
    }
  }
}

bool RunFindings::stands(const Kept& kept) const {
  const LiveFinding& finding = *kept.finding;
  return !waits_for_end(finding) ||
         std::ranges::none_of(finding.report.cycle, [&](const report::Block& it) {
           return it.label && not_atomic_.contains(*it.label);
         });
}

std::vector<const report::Report*> RunFindings::told_late() {
  std::vector<const report::Report*> out;
  for (Kept& kept : kept_) {
    if (std::exchange(kept.waits, false) && stands(kept)) out.push_back(&kept.finding->report);
  }
  return out;
}

void RunFindings::add_counts(const Kept& kept, const wire::Counters& counters,
                             report::Cause& cause) {
  cause.count = 0;
  for (const Way& way : kept.ways) {
    report::Variant& variant = cause.variants.emplace_back(way.variant);
    variant.count = times_seen(way.numbers, counters);
    cause.count += variant.count;
  }
}

void RunFindings::add_counters(const wire::Counters& counters, report::Report& out) {
  report::RunCounts run;
  std::uint64_t live = 0;
  // No thread has counters behind those of all that were ever started.
  const std::size_t most = std::min<std::uint64_t>(counters.threads, wire::kMaxThreads);
  for (const wire::ThreadCounters& thread : std::span(counters.thread).first(most)) {
    run.blocks += thread.blocks;
    run.passed_over += thread.passed_over;
    run.lock_operations += thread.locks;
    run.atomic_operations += thread.atomics;
    live += thread.live_dependencies;
  }
  run.threads = counters.threads;
  out.run = run;
  out.stats = {{"live dependencies", live}, {"dependencies forgotten", counters.forgotten}};
}

std::uint64_t RunFindings::undescribed(const wire::Counters& counters) const {
  std::vector<bool> described(wire::kMaxFindings, false);
  for (const Kept& kept : kept_) {
    for (const Way& way : kept.ways) {
      for (const std::uint32_t number : way.numbers) described[number] = true;
    }
  }
  std::uint64_t count = counters.more;
  for (std::uint32_t number = 0; number < wire::kMaxFindings; ++number) {
    if (!described[number]) count += counters.seen[number];
  }
  return count;
}

// A function on the stack below one that is not atomic is not atomic either, by the same events,
// even if refinement dropped it before.
void RunFindings::note_calls(const report::Cause& cause) {
  std::vector<std::string_view> inner;
  const auto call = [&](std::string_view function) {
    for (const std::string_view callee : inner) {
      if (callee != function) callers_[std::string(callee)].emplace(function);
    }
    inner.push_back(function);
  };
  for (const report::StackFrame& frame : cause.stack) call(frame.function);
  inner.clear();
  if (cause.block.label) call(*cause.block.label);
  for (const report::Block& block : cause.outer) {
    if (block.label) call(*block.label);
  }
}

std::vector<std::size_t> RunFindings::followed() const {
  std::vector<NotAtomic> functions;
  for (const Kept& kept : kept_) {
    const report::Cause& cause = cause_of(kept.finding->report);
    NotAtomic& function = functions.emplace_back();
    if (!kept.finding->by_function || is_cycle(kept.finding->report) || !cause.block.label) {
      function.stands_alone = true;
      continue;
    }
    function.function = *cause.block.label;
    const auto callers = callers_.find(function.function);
    if (callers != callers_.end()) function.callers = callers->second;
    // Statistics are a cause of many functions.
    function.stands_alone = cause.stands_alone || kept.noise == Noise::kStatisticsCounter;
    function.harmless = kept.noise != Noise::kNone;
  }
  return follow(functions);
}

report::Report RunFindings::report(const std::string& program, CheckMode mode,
                                   const wire::Counters& counters) const {
  report::Report out;
  out.path = program;
  out.mode = mode;
  out.engine = &find_engine(kDefaultEngine)->info;
  out.undescribed = undescribed(counters);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    if (stands(kept_[i])) order.push_back(i);
  }
  if (!order.empty() || out.undescribed > 0) {
    out.serializable = false;
  }
  add_counters(counters, out);
  // Where something was not checked, nothing is known if nothing was found.
  if (!out.serializable && counters.forgotten == 0 && out.run->passed_over == 0) {
    out.serializable = true;
  }
  // Cycles of data come first, then the longer ones, then noise, then what follows from others, as
  // in all reports.
  const std::vector<std::size_t> from = followed();
  std::ranges::stable_sort(order, {}, [&](std::size_t i) {
    return std::tuple(from[i] != i, kept_[i].noise != Noise::kNone,
                      rank(cause_of(kept_[i].finding->report)));
  });
  for (const std::size_t i : order) {
    const Kept& kept = kept_[i];
    const report::Report& one = kept.finding->report;
    report::Cause cause = cause_of(one);
    cause.noise = kept.noise;
    for (const auto& function : kept.functions) {
      if (function && function != cause.block.label) cause.other_functions.push_back(*function);
    }
    if (from[i] != i) cause.follows_from = kept_[from[i]].key;
    cause.variants.clear();
    add_counts(kept, counters, cause);
    if (one.causes.empty() && !out.cycle_cause && from[i] == i) {
      out.cycle = one.cycle;
      out.cycle_cause = std::move(cause);
      continue;
    }
    out.instances += cause.count;
    out.causes.push_back(std::move(cause));
    if (one.causes.empty()) continue;  // a report has one cycle: others are causes without blame
    out.violations.push_back(one.violations.front());
    out.violations.back().cause = static_cast<std::uint32_t>(out.causes.size() - 1);
    const auto& refuted = one.violations.front().refuted;
    out.refuted.insert(out.refuted.end(), refuted.begin(), refuted.end());
  }
  return out;
}

}  // namespace omnium::watch
