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

// What is held at the two ends of a step.
struct StepLocks {
  std::vector<HeldLock> source, sink;

  // Held at both ends, and not on the shared side of both: that keeps nobody out.
  bool keeps_apart(std::uint32_t lock) const {
    const auto alone = [&](const std::vector<HeldLock>& held) {
      return std::ranges::any_of(held,
                                 [&](const HeldLock& it) { return it.lock == lock && !it.shared; });
    };
    return contains(source, lock) && contains(sink, lock) && (alone(source) || alone(sink));
  }
};

std::vector<StepLocks> locks_of(const std::vector<WitnessStep>& steps, const Excerpt& excerpt) {
  std::vector<StepLocks> out;
  for (const WitnessStep& step : steps) {
    const Dependency& it = step.dependency;
    out.push_back(
        {held_at(it.source_thread, it.source, excerpt), held_at(it.sink_thread, it.sink, excerpt)});
  }
  return out;
}

// A lock that keeps the accesses of every step apart.
std::optional<LockId> held_everywhere(const std::vector<WitnessStep>& steps,
                                      const std::vector<StepLocks>& locks) {
  for (const WitnessStep& step : steps) {
    if (!is_data(step.dependency.kind)) return std::nullopt;
  }
  for (const HeldLock& held : locks.front().source) {
    const bool everywhere =
        std::ranges::all_of(locks, [&](const StepLocks& it) { return it.keeps_apart(held.lock); });
    if (everywhere) return LockId{held.lock};
  }
  return std::nullopt;
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
std::vector<SeenEvent> critical_sections(const std::vector<WitnessStep>& steps,
                                         const std::vector<StepLocks>& locks,
                                         const Excerpt& excerpt) {
  std::map<EventIndex, Event> rows;
  const EventIndex last = steps.back().dependency.sink;
  const auto add = [&](ThreadId thread, EventIndex index, const std::vector<HeldLock>& held) {
    for (const HeldLock& it : held) add_section(thread, index, it.lock, last, excerpt, rows);
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Dependency& it = steps[i].dependency;
    add(it.source_thread, it.source, locks[i].source);
    add(it.sink_thread, it.sink, locks[i].sink);
  }
  std::vector<SeenEvent> out;
  for (const auto& [index, event] : rows) out.push_back({index, event});
  return out;
}

void find_window(Picture& picture, const StepLocks& locks) {
  const Dependency& out = picture.steps.front().dependency;
  const Dependency& back = picture.steps.back().dependency;
  picture.opens = out.source;
  picture.closes = back.sink;
  // The block let go of what kept the other out.
  for (const SeenEvent& row : picture.rows) {
    if (row.index <= out.source || row.index >= out.sink) continue;
    if (gives_lock_back(row.event.kind) && row.event.thread() == out.source_thread &&
        contains(locks.source, row.event.object) && contains(locks.sink, row.event.object)) {
      picture.opens = row.index;
    }
  }
}

}  // namespace

Picture draw(const BlockRef& block, std::vector<WitnessStep> steps, const Excerpt& excerpt) {
  Picture picture;
  if (steps.empty()) return picture;
  picture.rows = step_events(steps, excerpt);
  const std::vector<StepLocks> held = locks_of(steps, excerpt);
  auto locks = critical_sections(steps, held, excerpt);
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
  picture.held = held_everywhere(steps, held);
  picture.steps = std::move(steps);
  find_window(picture, held.front());
  return picture;
}

void sort_rows(Picture& picture) {
  std::ranges::sort(picture.rows, {}, &SeenEvent::index);
  const auto same = [](const SeenEvent& a, const SeenEvent& b) { return a.index == b.index; };
  picture.rows.erase(std::unique(picture.rows.begin(), picture.rows.end(), same),
                     picture.rows.end());
}

}  // namespace omnium
