// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "finding/cycle_edges.h"

#include <algorithm>

#include "finding/excerpt.h"
#include "finding/picture.h"

namespace omnium {

namespace {

constexpr EventIndex kLongestLook = 4 << 20;  // events of the trace
constexpr std::size_t kMostEvents = 1024;     // per transaction

struct Member {
  BlockRef block;
  std::vector<SeenEvent> events;
};

std::vector<SeenEvent> events_of(const BlockRef& block, EventIndex last, const Excerpt& excerpt) {
  std::vector<SeenEvent> events;
  if (block.label.is_none()) {
    if (const Event* event = excerpt.find(block.begin)) events.push_back({block.begin, *event});
    return events;
  }
  std::size_t depth = 0;
  bool over = false;
  excerpt.visit_thread(block.thread, {block.begin, last},
                       [&](EventIndex index, const Event& event) {
                         if (over || events.size() == kMostEvents) return;
                         if (event.kind == Kind::kBegin) ++depth;
                         if (event.kind == Kind::kEnd && --depth == 0) over = true;
                         if (event.kind != Kind::kBegin && event.kind != Kind::kEnd)
                           events.push_back({index, event});
                       });
  return events;
}

std::optional<DependencyKind> data_conflict(const Event& a, const Event& b) {
  if (!is_access(a.kind) || !is_access(b.kind) || a.object != b.object) return std::nullopt;
  if (!is_write(a.kind) && !is_write(b.kind)) return std::nullopt;
  if (!is_write(a.kind)) return DependencyKind::kReadWrite;
  return is_write(b.kind) ? DependencyKind::kWriteWrite : DependencyKind::kWriteRead;
}

std::optional<DependencyKind> other_conflict(const Event& a, const Event& b) {
  if (gives_lock_back(a.kind) && takes_lock(b.kind) && a.object == b.object &&
      !(is_shared_side(a.kind) && is_shared_side(b.kind))) {
    return DependencyKind::kReleaseAcquire;
  }
  if (a.kind == Kind::kSignal && b.kind == Kind::kAwait && a.object == b.object) {
    return DependencyKind::kSignalAwait;
  }
  if (a.kind == Kind::kFork && a.object == b.thread_id) return DependencyKind::kFork;
  if (b.kind == Kind::kJoin && b.object == a.thread_id) return DependencyKind::kJoin;
  return std::nullopt;
}

using Conflict = std::optional<DependencyKind> (*)(const Event&, const Event&);

// The latest conflicting event of `from` before the earliest one of `to`.
std::optional<WitnessStep> edge(const Member& from, const Member& to, Conflict conflict) {
  for (const SeenEvent& sink : to.events) {
    for (std::size_t i = from.events.size(); i-- > 0;) {
      const SeenEvent& source = from.events[i];
      if (source.index >= sink.index) continue;
      const auto kind = conflict(source.event, sink.event);
      if (!kind) continue;
      const std::uint32_t object =
          *kind == DependencyKind::kJoin ? sink.event.object : source.event.object;
      return WitnessStep{
          from.block,
          to.block,
          {from.block.thread, source.index, to.block.thread, sink.index, *kind, object}};
    }
  }
  return std::nullopt;
}

// Program order is an edge too, but needs no event to explain it.
bool in_program_order(const Member& from, const Member& to) {
  return from.block.thread == to.block.thread && from.block.begin < to.block.begin;
}

}  // namespace

Result<Picture> draw_cycle(EventSource& source, const Cycle& cycle) {
  Picture picture;
  EventIndex first = cycle.closed_at;
  for (const BlockRef& block : cycle.transactions) first = std::min(first, block.begin);
  const EventIndex last = cycle.closed_at + 1;
  if (last - first > kLongestLook) return picture;
  const auto excerpt = Excerpt::read(source, {{first, last}});
  if (!excerpt) return tl::unexpected(excerpt.error());
  std::vector<Member> members;
  for (const BlockRef& block : cycle.transactions) {
    members.push_back({block, events_of(block, last, *excerpt)});
  }
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Member& from = members[i];
    const Member& to = members[(i + 1) % members.size()];
    if (in_program_order(from, to)) continue;
    auto step = edge(from, to, data_conflict);
    if (!step) step = edge(from, to, other_conflict);
    if (!step) return Picture{};
    picture.steps.push_back(*step);
  }
  for (const WitnessStep& step : picture.steps) {
    for (const EventIndex index : {step.dependency.source, step.dependency.sink}) {
      picture.rows.push_back({index, *excerpt->find(index)});
    }
  }
  sort_rows(picture);
  return picture;
}

}  // namespace omnium
