// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "finding/collector.h"

#include <algorithm>

namespace omnium {

namespace {

// A shorter witness of a function is looked for so many times: to find one takes time.
constexpr std::uint64_t kMostOfFunction = 1'000;

}  // namespace

void Collector::violation(Violation violation) {
  ++instances_;
  if (refines_) return keep_shortest(std::move(violation));
  open_.push_back(violations_.size());
  violations_.push_back(std::move(violation));
}

void Collector::keep_shortest(Violation violation) {
  const BlockRef& block =
      violation.refuted.empty() ? violation.transaction : violation.refuted.front();
  const std::vector<BlockRef>& nest = violation.refuted;
  for (std::size_t i = 1; i < nest.size(); ++i) callers_[nest[0].label].insert(nest[i].label);
  const auto [known, is_new] = functions_.try_emplace(block.label, Function{violations_.size(), 0});
  const std::size_t place = known->second.violation;
  ++known->second.seen;
  if (is_new) {
    violations_.emplace_back();
  } else if (violation.witness.size() >= violations_[place].witness.size()) {
    return;
  }
  for (std::size_t inner = 1; inner < nest.size(); ++inner) {
    for (std::size_t i = inner + 1; i < nest.size(); ++i) {
      callers_[nest[inner].label].insert(nest[i].label);
    }
  }
  std::erase(open_, place);
  open_.push_back(place);
  violations_[place] = std::move(violation);
}

bool Collector::wants_inner_block(const BlockRef& block) const {
  if (!refines_) return false;
  const auto known = functions_.find(block.label);
  return known == functions_.end() || known->second.seen < kMostOfFunction;
}

void Collector::transaction_ended(const BlockRef& transaction, EventIndex end) {
  std::erase_if(open_, [&](std::size_t at) {
    if (violations_[at].transaction != transaction) return false;
    violations_[at].end = end;
    return true;
  });
}

}  // namespace omnium
