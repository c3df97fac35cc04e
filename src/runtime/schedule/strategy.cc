// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/schedule/strategy.h"

#include <cstring>

#include "runtime/schedule/dice.h"
#include "runtime/schedule/rules.h"
#include "runtime/schedule/steps.h"

namespace omnium::runtime {

namespace {

using wire::SerialStrategy;

const wire::SerialBoard* board;
Dice dice(0);

// kPriorities (PCT): the thread that runs at one of these times goes last from then on.
constexpr std::uint32_t kMostChanges = 8;
std::uint64_t change_times[kMostChanges];
std::uint32_t change_count;

SerialThread* highest(const Candidates& candidates) {
  SerialThread* best = candidates.list[0];
  for (std::uint32_t i = 1; i < candidates.count; ++i) {
    if (candidates.list[i]->priority > best->priority) best = candidates.list[i];
  }
  return best;
}

SerialThread* by_priorities(const Candidates& candidates, SerialThread& self, std::uint64_t time) {
  for (std::uint32_t i = 0; i < change_count; ++i) {
    if (change_times[i] == time) self.priority = i + 1;
  }
  return highest(candidates);
}

bool conflict(const Point& one, const Point& other) {
  constexpr std::uintptr_t kNear = 8;
  if (one.address >= other.address + kNear || other.address >= one.address + kNear) return false;
  return one.kind != PointKind::kRead || other.kind != PointKind::kRead;
}

// POS: each operation that is to come has a priority, and loses it to chance again if another one
// overtakes it that it conflicts with.
SerialThread* by_partial_order(const Candidates& candidates, SerialThread& self) {
  self.priority = dice.throw_one();
  SerialThread* const best = highest(candidates);
  for (std::uint32_t i = 0; i < candidates.count; ++i) {
    SerialThread& other = *candidates.list[i];
    if (&other != best && conflict(other.pending, best->pending)) other.priority = dice.throw_one();
  }
  return best;
}

bool is_selected(const Point& point) {
  if (board->selected <= 1) return true;
  return mixed(point.address + board->seed) % board->selected == 0;
}

std::uint64_t left_to_do(const SerialThread& thread) {
  return thread.weight > thread.points ? thread.weight - thread.points : 1;
}

// SURW: each interleaving of the selected operations is as likely as any other, if threads do as
// much as they did before.
SerialThread* by_weight(const Candidates& candidates, SerialThread& usual) {
  if (candidates.has(&usual) && !is_selected(usual.pending)) return &usual;
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < candidates.count; ++i) sum += left_to_do(*candidates.list[i]);
  std::uint64_t drawn = dice.throw_one() % sum;
  for (std::uint32_t i = 0; i + 1 < candidates.count; ++i) {
    const std::uint64_t share = left_to_do(*candidates.list[i]);
    if (drawn < share) return candidates.list[i];
    drawn -= share;
  }
  return candidates.list[candidates.count - 1];
}

bool begins_with(const char* path, const char* begin) {
  const std::size_t length = std::strlen(begin);
  return std::strncmp(path, begin, length) == 0 && (path[length] == '\0' || path[length] == '.');
}

// Of the thread and of all that it will create.
std::uint64_t points_expected(const SerialThread& thread) {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < board->wanted_counts; ++i) {
    const wire::SerialThreadCount& count = board->counts[i];
    if (begins_with(count.path.text, thread.path.text)) sum += count.points;
  }
  return sum;
}

}  // namespace

void Candidates::add(SerialThread& thread) {
  if (count == kMost) return;
  std::uint32_t at = count++;
  for (; at > 0 && list[at - 1]->order > thread.order; --at) list[at] = list[at - 1];
  list[at] = &thread;
}

bool Candidates::has(const SerialThread* thread) const {
  for (std::uint32_t i = 0; i < count; ++i) {
    if (list[i] == thread) return true;
  }
  return false;
}

SerialThread& Candidates::next_after(const SerialThread& self) const {
  for (std::uint32_t i = 0; i < count; ++i) {
    if (list[i]->order > self.order) return *list[i];
  }
  return *list[0];
}

void prepare_strategy(const wire::SerialBoard& wanted) {
  board = &wanted;
  dice = Dice(wanted.seed);
  change_count = wanted.depth == 0 ? 0 : wanted.depth - 1;
  if (change_count > kMostChanges) change_count = kMostChanges;
  for (std::uint32_t i = 0; i < change_count; ++i) {
    change_times[i] = 1 + dice.throw_one() % (wanted.length == 0 ? 1 : wanted.length);
  }
}

void strategy_meets(SerialThread& child, SerialThread* parent) {
  child.priority = dice.throw_one() | std::uint64_t{1} << 32;  // above those that were lowered
  child.weight = points_expected(child);
  if (parent != nullptr) parent->weight -= child.weight < parent->weight ? child.weight : 0;
}

SerialThread* choose(const Candidates& candidates, SerialThread& self, SerialThread& usual,
                     std::uint64_t time) {
  switch (board->strategy) {
    case SerialStrategy::kFollow: return &usual;
    case SerialStrategy::kWalk: return candidates.list[dice.below(candidates.count)];
    case SerialStrategy::kPriorities: return by_priorities(candidates, self, time);
    case SerialStrategy::kPartialOrder: return by_partial_order(candidates, self);
    case SerialStrategy::kWeighted: return by_weight(candidates, usual);
    case SerialStrategy::kPlaces: return by_places(*board, candidates, self);
    case SerialStrategy::kRule: return by_rule(board->rule, candidates, self, usual);
    case SerialStrategy::kSteps:
      return by_steps(candidates, self, usual, board->seed == 0 ? nullptr : &dice);
  }
  return &usual;
}

}  // namespace omnium::runtime
