// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/build.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "finding/callers.h"
#include "finding/cause.h"
#include "finding/explaining_steps.h"
#include "finding/longer_section.h"
#include "finding/object_class.h"
#include "finding/pattern.h"
#include "report/object_names.h"

namespace omnium::report {

namespace {

Block block_of(const BlockRef& block, const Names& names) {
  Block out{names.threads.name(block.thread.v), std::nullopt, block.begin};
  if (!block.label.is_none()) out.label = names.labels.name(block.label.v);
  return out;
}

std::vector<Block> blocks_of(const std::vector<BlockRef>& blocks, const Names& names) {
  std::vector<Block> out;
  out.reserve(blocks.size());
  for (const BlockRef& block : blocks) out.push_back(block_of(block, names));
  return out;
}

EventView view(const SeenEvent& seen, const Names& names) {
  return {seen.index, seen.event.kind, names.threads.name(seen.event.thread_id),
          object_name(seen.event, names), position(seen.event.loc(), names)};
}

// What the dependency itself says of its events, where the trace was not read again. The first
// event of a forked thread and the last one of a joined thread can be anything (kSkip).
Event event_of(const Dependency& dependency, bool sink) {
  const auto thread =
      static_cast<std::uint16_t>(sink ? dependency.sink_thread.v : dependency.source_thread.v);
  const auto with = [&](Kind kind) { return Event{kind, thread, dependency.object}; };
  if (is_data(dependency.kind)) {
    const bool writes = sink ? sink_writes(dependency.kind) : source_writes(dependency.kind);
    return with(writes ? Kind::kWrite : Kind::kRead);
  }
  if (dependency.kind == DependencyKind::kReleaseAcquire) {
    return with(sink ? Kind::kAcquire : Kind::kRelease);
  }
  if (dependency.kind == DependencyKind::kSignalAwait) {
    return with(sink ? Kind::kAwait : Kind::kSignal);
  }
  if (dependency.kind == DependencyKind::kFork) return with(sink ? Kind::kSkip : Kind::kFork);
  return with(sink ? Kind::kJoin : Kind::kSkip);
}

EventView find_view(const omnium::Picture& picture, const Dependency& dependency, bool sink,
                    const Names& names) {
  const EventIndex index = sink ? dependency.sink : dependency.source;
  const auto at = std::ranges::lower_bound(picture.rows, index, {}, &SeenEvent::index);
  if (at != picture.rows.end() && at->index == index) return view(*at, names);
  return view({index, event_of(dependency, sink)}, names);
}

// The first event of a forked thread, or the last one of a joined thread, of which nothing is known
// can be anything.
void forget_unknown(EventView& event) {
  if (!is_access(event.kind) || !event.location.empty() || !object_class(event.object).empty()) {
    return;
  }
  event.kind = Kind::kSkip;
  event.object = {};
}

Picture picture_of(const omnium::Picture& picture, const Names& names) {
  Picture out;
  std::set<EventIndex> ends;  // of threads
  std::vector<ThreadId> threads;
  std::vector<BlockRef> blocks;  // of each column; label none if there are several
  const auto add_column = [&](const BlockRef& block) {
    const auto at = std::ranges::find(threads, block.thread);
    if (at == threads.end()) {
      threads.push_back(block.thread);
      blocks.push_back(block);
    } else if (BlockRef& had = blocks[static_cast<std::size_t>(at - threads.begin())];
               had != block) {
      had.label = LabelId::none();
    }
  };
  for (const WitnessStep& step : picture.steps) {
    add_column(step.from);
    add_column(step.to);
    const Dependency& it = step.dependency;
    Sentence sentence{block_of(step.from, names), block_of(step.to, names),
                      find_view(picture, it, false, names), find_view(picture, it, true, names)};
    sentence.same_object = is_data(it.kind) || it.kind == DependencyKind::kReleaseAcquire ||
                           it.kind == DependencyKind::kSignalAwait;
    if (it.kind == DependencyKind::kFork) forget_unknown(sentence.second);
    if (it.kind == DependencyKind::kJoin) forget_unknown(sentence.first);
    if (it.kind == DependencyKind::kFork) ends.insert(it.sink);
    if (it.kind == DependencyKind::kJoin) ends.insert(it.source);
    out.sentences.push_back(sentence);
  }
  for (const BlockRef& block : blocks) {
    const Block named = block_of(block, names);
    out.columns.push_back({named.thread, named.label});
  }
  EventIndex next = kNoEvent;
  for (const SeenEvent& seen : picture.rows) {
    const auto at = std::ranges::find(threads, seen.event.thread());
    if (at == threads.end()) continue;
    Row row{static_cast<std::size_t>(at - threads.begin()), view(seen, names)};
    if (ends.contains(seen.index)) forget_unknown(row.event);
    if (seen.index == picture.opens) row.mark = Row::Mark::kOpens;
    if (seen.index == picture.closes) row.mark = Row::Mark::kCloses;
    if (next != kNoEvent && seen.index > next) row.skipped = seen.index - next;
    next = seen.index + 1;
    out.rows.push_back(row);
  }
  if (picture.held) {
    out.held = names.locks.name(picture.held->v);
    const LongerSection section = longer_section(picture, names);
    out.in_order = section.in_order;
    out.given_up_at = position(section.given_up, names);
    out.taken_again_at = position(section.taken_again, names);
  }
  return out;
}

Violation violation_of(const omnium::Violation& violation, const ExplainedViolation& explained,
                       const Names& names) {
  Violation out;
  out.cause = explained.cause;
  out.transaction = block_of(violation.transaction, names);
  out.end = violation.end;
  out.source = violation.closing.source;
  out.event = violation.closing.sink;
  out.kind = violation.closing.kind;
  out.object = object_of(violation.closing, names);
  out.begin_location = position(explained.begin, names);
  out.source_location = position(explained.source, names);
  out.event_location = position(explained.event, names);
  out.refuted = blocks_of(violation.refuted, names);
  out.blamed = violation.blamed;
  out.witness.reserve(violation.witness.size());
  for (const WitnessStep& step : violation.witness) {
    const Dependency& it = step.dependency;
    out.witness.push_back({block_of(step.from, names), block_of(step.to, names), it.source, it.sink,
                           it.kind, object_of(it, names)});
  }
  return out;
}

template <class T>
void add_once(std::vector<T>& list, const T& item) {
  if (std::ranges::find(list, item) == list.end()) list.push_back(item);
}

void add_objects(Cause& cause, const std::vector<WitnessStep>& steps, const Names& names) {
  for (const WitnessStep& step : steps) {
    add_once(cause.objects, object_of(step.dependency, names));
  }
}

void add_picture(Cause& cause, const omnium::Picture& picture, const Names& names) {
  cause.picture = picture_of(picture, names);
  if (cause.picture.sentences.empty()) return;
  // What the person reads about closes where the picture does.
  const EventView& closing = cause.picture.sentences.back().second;
  if (!closing.location.empty()) cause.event_location = closing.location;
}

// The one that is shown comes first, then the most frequent ones.
std::vector<Variant> variants_of(const omnium::Cause& cause, const Names& names) {
  std::vector<omnium::Variant> sorted = cause.variants;
  std::ranges::stable_sort(sorted, [&](const auto& a, const auto& b) {
    return std::pair(a.pattern != cause.pattern, b.count) <
           std::pair(b.pattern != cause.pattern, a.count);
  });
  std::vector<Variant> out;
  for (const omnium::Variant& it : sorted) {
    Variant& named = out.emplace_back();
    named.pattern = to_string(it.pattern);
    named.count = it.count;
    for (const LabelId label : it.partners) {
      named.partners.emplace_back();
      if (!label.is_none()) named.partners.back() = names.labels.name(label.v);
    }
  }
  return out;
}

Cause cause_of(const omnium::Cause& cause, const std::vector<omnium::Violation>& violations,
               const std::vector<ExplainedViolation>& explained, const Names& names) {
  const omnium::Violation& first = violations[cause.violation];
  Cause out;
  out.id = cause.id;
  out.pattern = to_string(cause.pattern);
  out.block = block_of(blamed_block(first), names);
  out.block_location = position(cause.block, names);
  out.event_location = position(explained[cause.violation].event, names);
  for (std::size_t i = 1; i < first.refuted.size(); ++i) {
    out.outer.push_back(block_of(first.refuted[i], names));
  }
  out.count = cause.count;
  out.variants = variants_of(cause, names);
  out.blamed = first.blamed;
  out.noise = cause.noise;
  out.stands_alone = cause.stands_alone;
  for (const LabelId function : cause.functions) {
    if (function.is_none() || function == blamed_block(first).label) continue;
    out.other_functions.push_back(names.labels.name(function.v));
  }
  std::ranges::sort(out.other_functions);
  if (cause.own_lock) out.own_lock = names.variables.name(cause.own_lock->v);
  const auto& steps = cause.picture.steps.empty() ? first.witness : cause.picture.steps;
  std::vector<BlockRef> partners;
  add_objects(out, steps, names);
  for (const WitnessStep& step : steps) {
    if (step.from.thread != first.transaction.thread) add_once(partners, step.from);
    if (step.to.thread != first.transaction.thread) add_once(partners, step.to);
  }
  out.partners = blocks_of(partners, names);
  add_picture(out, cause.picture, names);
  return out;
}

Cause cycle_cause(const Cycle& cycle, const omnium::Picture& picture, const Names& names,
                  bool by_function) {
  Cause out;
  out.id = cycle_id(cycle.transactions, names, by_function);
  out.pattern = fmt::format("cycle of {} transactions", cycle.transactions.size());
  out.block = block_of(cycle.transactions.front(), names);
  out.partners = blocks_of(cycle.transactions, names);
  out.partners.erase(out.partners.begin());
  out.count = 1;
  out.blamed = false;
  add_objects(out, picture.steps, names);
  add_picture(out, picture, names);
  return out;
}

std::vector<Runs> runs_of(const CheckOutcome& outcome, const Names& names) {
  std::vector<Runs> all(outcome.runs.size());
  for (std::uint32_t label = 0; label < all.size(); ++label) {
    all[label] = {names.labels.name(label), outcome.runs[label]};
  }
  for (const BlockRef& block : outcome.refuted) ++all[block.label.v].refuted;
  std::erase_if(all, [](const Runs& it) { return it.count == 0; });
  return all;
}

// By cause: the one that it follows from, or itself.
std::vector<std::size_t> followed(const CheckOutcome& outcome, const Explanation& explanation,
                                  const Names& names) {
  std::vector<std::size_t> out(explanation.causes.size());
  std::iota(out.begin(), out.end(), std::size_t{0});
  if (!outcome.by_function) return out;
  std::vector<NotAtomic> functions;
  for (const omnium::Cause& cause : explanation.causes) {
    const omnium::Violation& shown = outcome.violations[cause.violation];
    const LabelId label = blamed_block(shown).label;
    NotAtomic& function = functions.emplace_back();
    if (label.is_none()) continue;
    function.function = names.labels.name(label.v);
    const auto callers = outcome.callers.find(label);
    if (callers != outcome.callers.end()) {
      for (const LabelId it : callers->second) function.callers.emplace(names.labels.name(it.v));
    }
    // Statistics are a cause of many functions.
    function.stands_alone = cause.stands_alone || cause.noise == Noise::kStatisticsCounter;
    function.harmless = cause.noise != Noise::kNone;
  }
  return follow(functions);
}

Report build(std::string path, const EngineInfo& engine, const CheckOutcome& outcome,
             const Explanation& explanation, const Names& names) {
  Report out;
  out.path = std::move(path);
  out.counts = outcome.counts;
  out.extent = names.extent();
  out.engine = &engine;
  out.mode = outcome.mode;
  out.warnings = outcome.warnings;
  if (!outcome.serializable || engine.serializable == Promise::kExact) {
    out.serializable = outcome.serializable;
  }
  out.detected_at = outcome.detected_at;
  out.only_first = outcome.stopped;
  out.instances = outcome.instances;
  out.through_silent_locks = outcome.through_silent_locks;
  out.refuted = blocks_of(outcome.refuted, names);
  if (engine.blocks != Promise::kNothing) out.runs = runs_of(outcome, names);
  out.stats = outcome.counters;
  out.seconds = outcome.seconds;
  out.read_again = explanation.read_again;
  out.violations.reserve(outcome.violations.size());
  for (std::size_t i = 0; i < outcome.violations.size(); ++i) {
    out.violations.push_back(violation_of(outcome.violations[i], explanation.violations[i], names));
  }
  // Cycles of data first, longest cycles last; after all of them what is probably harmless, then
  // what follows from others.
  const std::vector<std::size_t> from = followed(outcome, explanation, names);
  std::vector<std::uint32_t> order(explanation.causes.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) {
    const omnium::Cause& cause = explanation.causes[i];
    return std::tuple(from[i] != i, cause.noise != Noise::kNone, !cause.about_data,
                      cause.pattern.transactions);
  });
  std::vector<std::uint32_t> place(order.size());
  for (const std::uint32_t i : order) {
    place[i] = static_cast<std::uint32_t>(out.causes.size());
    out.causes.push_back(
        cause_of(explanation.causes[i], outcome.violations, explanation.violations, names));
    if (from[i] != i) out.causes.back().follows_from = explanation.causes[from[i]].id;
  }
  for (Violation& violation : out.violations) violation.cause = place[violation.cause];
  const bool cycle_only = !outcome.serializable && outcome.violations.empty();
  if (cycle_only && outcome.cycle && !outcome.cycle->transactions.empty()) {
    out.cycle = blocks_of(outcome.cycle->transactions, names);
    out.cycle_cause =
        cycle_cause(*outcome.cycle, explanation.cycle, names, outcome.by_function);
  }
  return out;
}

}  // namespace

Result<Report> check_and_report(EventSource& source, std::string path, const EngineEntry& engine,
                                const CheckOptions& check, const ExplainOptions& options) {
  const auto outcome = check_trace(source, engine, check);
  if (!outcome) return tl::unexpected(outcome.error());
  return report_outcome(source, std::move(path), engine, *outcome, options);
}

Report report_outcome(EventSource& source, std::string path, const EngineEntry& engine,
                      const CheckOutcome& outcome, ExplainOptions options) {
  options.by_function = outcome.by_function;
  const Explanation explanation = explain(source, outcome.violations, outcome.cycle, options);
  return build(std::move(path), engine.info, outcome, explanation, source.names());
}

}  // namespace omnium::report
