// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "watch/step_order.h"

#include <limits>

namespace omnium::watch {

namespace {

// Of longer witnesses, which are rare, the steps tell about their ends alone.
constexpr std::size_t kMostSteps = 64;

}  // namespace

StepOrder::StepOrder(const Histories& histories)
    : histories_(histories), position_(histories.items.size(), 0) {
  for (const auto& sequence : histories.threads) {
    for (std::size_t i = 0; i < sequence.size(); ++i) position_[sequence[i]] = i;
  }
  if (histories.order.size() > kMostSteps) return;
  order_ = histories.order;
  if (!histories.closing) return;
  // All other steps came before the one that closes the cycle.
  for (const auto& [source, sink] : histories.order) {
    if (sink != *histories.closing) order_.emplace_back(sink, *histories.closing);
  }
}

ItemIndex StepOrder::index_of(const Item& item) const {
  return static_cast<ItemIndex>(&item - histories_.items.data());
}

// Whether something was found.
bool StepOrder::grow(Reach& reach) const {
  bool found = false;
  for (const auto& [source, sink] : order_) {
    const std::uint32_t from = histories_.items[source].thread, to = histories_.items[sink].thread;
    const std::size_t first = position_[source], second = position_[sink];
    if (first >= reach.after[from] && second < reach.after[to]) {
      reach.after[to] = second;
      found = true;
    }
    if (second < reach.before[to] && first >= reach.before[from]) {
      reach.before[from] = first + 1;
      found = true;
    }
  }
  return found;
}

const StepOrder::Reach& StepOrder::reach_of(ItemIndex end) {
  const auto [at, added] = reach_.try_emplace(end);
  if (!added) return at->second;
  Reach& reach = at->second;
  const std::uint32_t thread = histories_.items[end].thread;
  reach.after.assign(histories_.threads.size(), std::numeric_limits<std::size_t>::max());
  reach.before.assign(histories_.threads.size(), 0);
  reach.after[thread] = position_[end];
  reach.before[thread] = position_[end] + 1;
  while (grow(reach)) {
  }
  return reach;
}

bool StepOrder::tells(const Item& item, const Item& end) {
  const Reach& reach = reach_of(index_of(end));
  const std::size_t position = position_[index_of(item)];
  return position >= reach.after[item.thread] || position < reach.before[item.thread];
}

}  // namespace omnium::watch
