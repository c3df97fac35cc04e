// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "finding/explanation.h"

#include <algorithm>

#include "finding/cause.h"
#include "finding/cycle_edges.h"
#include "finding/explaining_steps.h"
#include "finding/picture.h"

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
    const Pattern pattern = pattern_of(steps);
    const BlockRef& block = blamed_block(violation);
    std::string key = cause_key(block, steps, pattern, names_);
    const auto [at, added] =
        causes_.try_emplace(std::move(key), static_cast<std::uint32_t>(out_.causes.size()));
    ExplainedViolation& explained = out_.violations[index];
    explained.cause = at->second;
    explained.begin = location(excerpt, violation.transaction.begin);
    explained.source = location(excerpt, violation.closing.source);
    explained.event = location(excerpt, violation.closing.sink);
    if (added) {
      Cause cause{cause_id(at->first), pattern, index, 0, location(excerpt, block.begin), {}};
      if (out_.causes.size() < options_.pictures) {
        cause.picture = draw(block, std::move(steps), excerpt);
      }
      out_.causes.push_back(std::move(cause));
    }
    ++out_.causes[explained.cause].count;
  }

 private:
  static LocId location(const Excerpt& excerpt, EventIndex index) {
    const Event* event = excerpt.find(index);
    return event == nullptr ? LocId::none() : event->loc();
  }

  const Names& names_;
  const std::vector<Violation>& violations_;
  const ExplainOptions& options_;
  Explanation& out_;
  std::unordered_map<std::string, std::uint32_t> causes_;  // key -> index
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
