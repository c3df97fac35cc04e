// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "finding/explanation.h"

#include <algorithm>

#include "finding/cause.h"
#include "finding/cycle_edges.h"
#include "finding/explaining_steps.h"
#include "finding/function_class.h"
#include "finding/picture.h"
#include "support/place.h"

namespace omnium {

namespace {

// Violations whose neighbourhoods are in memory at the same time.
constexpr std::size_t kViolationsPerPass = 2048;

class Explainer {
 public:
  Explainer(const Names& names, const std::vector<Violation>& violations,
            const ExplainOptions& options, Explanation& out)
      : names_(names), violations_(violations), options_(options), out_(out) {}

  void look_at(std::size_t index, const Excerpt& excerpt) {
    const Violation& violation = violations_[index];
    auto steps = explaining_steps(violation, excerpt);
    const BlockRef& block = blamed_block(violation);
    const LooksLike like = noise_of(violation, steps, excerpt, names_);
    const auto [at, added] = causes_.try_emplace(key_of(block, steps, like, excerpt),
                                                 static_cast<std::uint32_t>(out_.causes.size()));
    ExplainedViolation& explained = out_.violations[index];
    explained.cause = at->second;
    explained.begin = location(excerpt, violation.transaction.begin);
    explained.source = location(excerpt, violation.closing.source);
    explained.event = location(excerpt, violation.closing.sink);
    if (added) {
      out_.causes.emplace_back();
      out_.causes.back().id = cause_id(at->first);
      draws_.push_back(false);
    }
    Cause& cause = out_.causes[explained.cause];
    const Pattern pattern = pattern_of(steps);
    count_variant(cause, pattern, steps, violation.transaction.thread);
    ++cause.count;
    // One violation that looks like nothing of the kind is enough.
    cause.noise = added || cause.noise == like.noise ? like.noise : Noise::kNone;
    if (options_.by_function) cause.functions.insert(block.label);
    // What is probably harmless takes no room from the rest.
    if (added) draws_.back() = drawn_[cause.noise != Noise::kNone]++ < options_.pictures;
    const bool about_data = std::ranges::all_of(
        steps, [](const WitnessStep& it) { return is_data(it.dependency.kind); });
    const auto rank = [](bool data, const Pattern& it) {
      return std::pair(!data, it.transactions);
    };
    if (!added && rank(about_data, pattern) >= rank(cause.about_data, cause.pattern)) return;
    cause.violation = index;
    cause.pattern = pattern;
    cause.block = location(excerpt, block.begin);
    cause.about_data = about_data;
    cause.stands_alone =
        pattern.name == PatternName::kLostUpdate || is_in_own_code(block, steps, excerpt);
    cause.own_lock = own_lock(steps, excerpt);
    if (draws_[explained.cause]) cause.picture = draw(block, std::move(steps), excerpt);
  }

 private:
  using Steps = std::vector<WitnessStep>;

  std::string key_of(const BlockRef& block, const Steps& steps, const LooksLike& like,
                     const Excerpt& excerpt) const {
    std::optional<std::string_view> label;
    if (!block.label.is_none()) label = names_.labels.name(block.label.v);
    if (options_.by_function && like.noise == Noise::kStatisticsCounter) {
      return statistics_cause_key(like.structure);
    }
    if (options_.by_function && label) return function_cause_key(*label);
    if (steps.empty()) return cause_key(label, {});
    const Dependency& back = steps.back().dependency;
    return cause_key(label, closing_of(back, location_name(excerpt, back.sink), names_));
  }

  // Does the window open and close in the code of the function that is blamed?
  bool is_in_own_code(const BlockRef& block, const Steps& steps, const Excerpt& excerpt) const {
    if (steps.empty() || block.label.is_none()) return false;
    const std::string function = function_class(names_.labels.name(block.label.v));
    const auto is_own = [&](EventIndex index) {
      const support::Place place = support::place_of(location_name(excerpt, index));
      return function_class(place.function) == function;
    };
    return is_own(steps.front().dependency.source) && is_own(steps.back().dependency.sink);
  }

  static void count_variant(Cause& cause, const Pattern& pattern, const Steps& steps,
                            ThreadId thread) {
    std::vector<LabelId> partners;
    for (const WitnessStep& step : steps) {
      for (const BlockRef& block : {step.from, step.to}) {
        if (block.thread != thread) partners.push_back(block.label);
      }
    }
    std::ranges::sort(partners);
    partners.erase(std::unique(partners.begin(), partners.end()), partners.end());
    auto at = std::ranges::find_if(cause.variants, [&](const Variant& it) {
      return it.pattern == pattern && it.partners == partners;
    });
    if (at == cause.variants.end()) {
      if (cause.variants.size() == Cause::kMostVariants) return;
      at = cause.variants.insert(at, {pattern, std::move(partners), 0});
    }
    ++at->count;
  }

  std::string_view location_name(const Excerpt& excerpt, EventIndex index) const {
    const LocId at = location(excerpt, index);
    return at.is_none() ? std::string_view() : names_.locations.name(at.v);
  }

  static LocId location(const Excerpt& excerpt, EventIndex index) {
    const Event* event = excerpt.find(index);
    return event == nullptr ? LocId::none() : event->loc();
  }

  const Names& names_;
  const std::vector<Violation>& violations_;
  const ExplainOptions& options_;
  Explanation& out_;
  std::unordered_map<std::string, std::uint32_t> causes_;  // key -> index
  std::vector<bool> draws_;                                // per cause: is it drawn?
  std::size_t drawn_[2] = {};                              // causes that are; those of noise apart
};

}  // namespace

Explanation explain(EventSource& source, const std::vector<Violation>& violations,
                    const std::optional<Cycle>& cycle, const ExplainOptions& options) {
  Explanation out;
  out.violations.resize(violations.size());
  source.want_locations(true);
  Explainer explainer(source.names(), violations, options, out);
  for (std::size_t first = 0; first < violations.size(); first += kViolationsPerPass) {
    const std::size_t last = std::min(first + kViolationsPerPass, violations.size());
    std::vector<EventRange> ranges;
    for (std::size_t i = first; i < last; ++i) add_neighbourhoods(violations[i], ranges);
    Excerpt excerpt;
    if (out.read_again) {
      auto read = Excerpt::read(source, std::move(ranges));
      out.read_again = read.has_value();
      if (read) excerpt = std::move(*read);
    }
    for (std::size_t i = first; i < last; ++i) explainer.look_at(i, excerpt);
  }
  if (violations.empty() && cycle && !cycle->transactions.empty()) {
    auto picture = draw_cycle(source, *cycle);
    out.read_again = picture.has_value();
    if (picture) out.cycle = std::move(*picture);
  }
  return out;
}

}  // namespace omnium
