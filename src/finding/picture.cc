// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "finding/picture.h"

#include <algorithm>
#include <map>
#include <set>

#include "finding/explaining_steps.h"
#include "finding/held_locks.h"
#include "finding/pattern.h"

namespace omnium {

namespace {

bool is_lock_operation(const Event& event) {
  return takes_lock(event.kind) || gives_lock_back(event.kind);
}

void keep_common(std::set<std::uint32_t>& locks, const std::set<std::uint32_t>& with) {
  std::erase_if(locks, [&](std::uint32_t lock) { return !with.contains(lock); });
}

std::optional<LockId> held_everywhere(const std::vector<WitnessStep>& steps,
                                      const Excerpt& excerpt) {
  std::optional<std::set<std::uint32_t>> common;
  const auto meet = [&](ThreadId thread, EventIndex index) {
    auto held = held_at(thread, index, excerpt);
    if (common) {
      keep_common(*common, held);
    } else {
      common = std::move(held);
    }
  };
  for (const WitnessStep& step : steps) {
    const Dependency& it = step.dependency;
    if (!is_data(it.kind)) return std::nullopt;
    meet(it.source_thread, it.source);
    meet(it.sink_thread, it.sink);
    // Two that hold the shared side do not keep each other out.
    auto alone = held_alone_at(it.source_thread, it.source, excerpt);
    alone.merge(held_alone_at(it.sink_thread, it.sink, excerpt));
    keep_common(*common, alone);
  }
  if (!common || common->empty()) return std::nullopt;
  return LockId{*common->begin()};
}

// The events of the steps, as far as they were read.
std::vector<SeenEvent> step_events(const std::vector<WitnessStep>& steps, const Excerpt& excerpt) {
  std::set<EventIndex> indices;
  for (const WitnessStep& step : steps) {
    indices.insert({step.dependency.source, step.dependency.sink});
  }
  std::vector<SeenEvent> rows;
  for (const EventIndex index : indices) {
    if (const Event* event = excerpt.find(index)) rows.push_back({index, *event});
  }
  return rows;
}

// Where the thread took the lock that it held at `index`, and where it gives it back.
void add_section(ThreadId thread, EventIndex index, std::uint32_t lock, EventIndex last,
                 const Excerpt& excerpt, std::map<EventIndex, Event>& rows) {
  const auto is_of_lock = [&](const Event& event) {
    return is_lock_operation(event) && event.object == lock;
  };
  std::optional<SeenEvent> taken, given;
  const EventIndex first = index - std::min(index, 2 * kNeighbourhood);
  excerpt.visit_thread(thread, {first, index}, [&](EventIndex at, const Event& event) {
    if (is_of_lock(event) && takes_lock(event.kind)) taken = SeenEvent{at, event};
  });
  excerpt.visit_thread(thread, {index, last}, [&](EventIndex at, const Event& event) {
    if (!given && is_of_lock(event) && gives_lock_back(event.kind)) given = SeenEvent{at, event};
  });
  for (const auto& it : {taken, given}) {
    if (it) rows.emplace(it->index, it->event);
  }
}

// The critical sections that the events of the steps are in: other locks do not matter.
std::vector<SeenEvent> critical_sections(const std::vector<WitnessStep>& steps, EventIndex last,
                                         const Excerpt& excerpt) {
  std::map<EventIndex, Event> rows;
  const auto add = [&](ThreadId thread, EventIndex index) {
    for (const std::uint32_t lock : held_at(thread, index, excerpt)) {
      add_section(thread, index, lock, last, excerpt, rows);
    }
  };
  for (const WitnessStep& step : steps) {
    add(step.dependency.source_thread, step.dependency.source);
    add(step.dependency.sink_thread, step.dependency.sink);
  }
  std::vector<SeenEvent> out;
  for (const auto& [index, event] : rows) out.push_back({index, event});
  return out;
}

void find_window(Picture& picture, const Excerpt& excerpt) {
  const Dependency& out = picture.steps.front().dependency;
  const Dependency& back = picture.steps.back().dependency;
  picture.opens = out.source;
  picture.closes = back.sink;
  auto locks = held_at(out.source_thread, out.source, excerpt);
  keep_common(locks, held_at(out.sink_thread, out.sink, excerpt));
  // The block let go of what kept the other out.
  for (const SeenEvent& row : picture.rows) {
    if (row.index <= out.source || row.index >= out.sink) continue;
    if (gives_lock_back(row.event.kind) && row.event.thread() == out.source_thread &&
        locks.contains(row.event.object)) {
      picture.opens = row.index;
    }
  }
}

}  // namespace

Picture draw(const BlockRef& block, std::vector<WitnessStep> steps, const Excerpt& excerpt) {
  Picture picture;
  if (steps.empty()) return picture;
  picture.rows = step_events(steps, excerpt);
  const EventIndex last = steps.back().dependency.sink;
  auto locks = critical_sections(steps, last, excerpt);
  // Far too many happen in long cycles: those next to the events of the cycle tell most.
  const std::size_t room = kMostRows - std::min(kMostRows, picture.rows.size());
  if (locks.size() > room) {
    locks.erase(locks.begin() + static_cast<std::ptrdiff_t>(room / 2),
                locks.end() - static_cast<std::ptrdiff_t>(room - room / 2));
  }
  picture.rows.insert(picture.rows.end(), locks.begin(), locks.end());
  sort_rows(picture);
  // What holds of the transaction holds of the block, if the cycle leaves from inside it.
  if (steps.front().dependency.source >= block.begin) {
    steps.front().from = block;
    steps.back().to = block;
  }
  picture.held = held_everywhere(steps, excerpt);
  picture.steps = std::move(steps);
  find_window(picture, excerpt);
  return picture;
}

void sort_rows(Picture& picture) {
  std::ranges::sort(picture.rows, {}, &SeenEvent::index);
  const auto same = [](const SeenEvent& a, const SeenEvent& b) { return a.index == b.index; };
  picture.rows.erase(std::unique(picture.rows.begin(), picture.rows.end(), same),
                     picture.rows.end());
}

}  // namespace omnium
