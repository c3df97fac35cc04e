// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/event_index.h"

#include <algorithm>

namespace omnium::predict {

namespace {

constexpr std::ptrdiff_t kAccessesLookedAt = 100;

}  // namespace

EventIndexer::EventIndexer(std::span<const Event> events, const Extent& extent)
    : events_(events),
      accesses_(extent.variables),
      by_thread_(extent.threads),
      blocks_(extent.threads),
      sections_(extent.threads) {
  const SharedObjects shared(events, extent);
  std::vector<std::uint32_t> depth(extent.threads, 0), locks(extent.threads, 0);
  for (EventIndex i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    auto& blocks = blocks_[event.thread_id];
    if (is_access(event.kind) && shared.variable(event.variable())) {
      accesses_[event.object].push_back(i);
      by_thread_[event.thread_id].push_back(i);
    }
    if (takes_lock(event.kind) && locks[event.thread_id]++ == 0) {
      sections_[event.thread_id].emplace_back(i, kNoEvent);
    }
    if (gives_lock_back(event.kind) && --locks[event.thread_id] == 0) {
      sections_[event.thread_id].back().second = i;
    }
    switch (event.kind) {
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
           (is_write(mine.kind) || is_write(events_[other].kind));
  };
  const auto here = std::lower_bound(all.begin(), all.end(), near) - all.begin();
  std::vector<EventIndex> found;
  const auto size = static_cast<std::ptrdiff_t>(all.size());
  std::size_t before = 0, after = 0;
  for (std::ptrdiff_t step = 1; step <= kAccessesLookedAt; ++step) {
    if ((before == count || here < step) && (after == count || here + step >= size)) break;
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

std::vector<LabelId> EventIndexer::open_blocks(ThreadId thread, EventIndex at) const {
  const auto& blocks = blocks_[thread.v];
  const auto later = std::upper_bound(
      blocks.begin(), blocks.end(), at,
      [](EventIndex before, const Span& each) { return before <= each.block.begin; });
  std::vector<LabelId> open;
  if (later == blocks.begin() || std::prev(later)->end < at) return open;
  for (EventIndex i = std::prev(later)->block.begin; i < at; ++i) {
    if (events_[i].thread() != thread) continue;
    if (events_[i].kind == Kind::kBegin) open.push_back(events_[i].label());
    if (events_[i].kind == Kind::kEnd) open.pop_back();
  }
  return open;
}

EventIndex EventIndexer::section_begin(EventIndex event) const {
  const auto& sections = sections_[events_[event].thread_id];
  const auto later =
      std::upper_bound(sections.begin(), sections.end(), event,
                       [](EventIndex at, const auto& section) { return at < section.first; });
  if (later == sections.begin() || std::prev(later)->second < event) return event;
  return std::prev(later)->first;
}

}  // namespace omnium::predict
