// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/event_index.h"

#include <algorithm>

namespace omnium::predict {

namespace {

constexpr std::size_t kAccessesLookedAt = 200;

}  // namespace

EventIndexer::EventIndexer(std::span<const Event> events, const Extent& extent)
    : events_(events),
      accesses_(extent.variables),
      by_thread_(extent.threads),
      blocks_(extent.threads) {
  const SharedObjects shared(events, extent);
  std::vector<std::uint32_t> depth(extent.threads, 0);
  for (EventIndex i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    auto& blocks = blocks_[event.thread_id];
    switch (event.kind) {
      case Kind::kRead:
      case Kind::kWrite:
        if (!shared.variable(event.variable())) break;
        accesses_[event.object].push_back(i);
        by_thread_[event.thread_id].push_back(i);
        break;
      case Kind::kBegin:
        if (depth[event.thread_id]++ == 0) {
          blocks.push_back({{event.thread(), event.label(), i}, kNoEvent});
        }
        break;
      case Kind::kEnd:
        if (--depth[event.thread_id] == 0) blocks.back().end = i;
        break;
      default: break;
    }
  }
}

std::vector<EventIndex> EventIndexer::conflicting(EventIndex near, std::size_t count) const {
  const Event& mine = events_[near];
  const auto& all = accesses_[mine.object];
  const auto conflicts = [&](EventIndex other) {
    return events_[other].thread_id != mine.thread_id &&
           (mine.kind == Kind::kWrite || events_[other].kind == Kind::kWrite);
  };
  const auto here = std::lower_bound(all.begin(), all.end(), near) - all.begin();
  std::vector<EventIndex> found;
  const auto size = static_cast<std::ptrdiff_t>(all.size());
  std::size_t before = 0, after = 0;
  for (std::ptrdiff_t step = 1; step <= static_cast<std::ptrdiff_t>(kAccessesLookedAt); ++step) {
    if (here - step >= 0 && before < count && conflicts(all[here - step])) {
      found.push_back(all[here - step]);
      ++before;
    }
    if (here + step < size && after < count && conflicts(all[here + step])) {
      found.push_back(all[here + step]);
      ++after;
    }
  }
  return found;
}

std::span<const EventIndex> EventIndexer::from(EventIndex access, std::size_t count) const {
  const auto& mine = by_thread_[events_[access].thread_id];
  const auto first = std::lower_bound(mine.begin(), mine.end(), access);
  const auto left = static_cast<std::size_t>(mine.end() - first);
  return {first, std::min(left, count + 1)};
}

BlockRef EventIndexer::block_of(EventIndex event) const {
  const auto& blocks = blocks_[events_[event].thread_id];
  const auto later =
      std::upper_bound(blocks.begin(), blocks.end(), event,
                       [](EventIndex at, const Span& each) { return at < each.block.begin; });
  if (later != blocks.begin() && std::prev(later)->end >= event) return std::prev(later)->block;
  return {events_[event].thread(), LabelId::none(), event};
}

}  // namespace omnium::predict
