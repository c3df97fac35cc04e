// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/schedule/rules.h"

#include "runtime/schedule/dice.h"

namespace omnium::runtime {

namespace {

using wire::SerialRule;

constexpr std::uint64_t kFirst = ~std::uint64_t{0};

// The next one by age, after `self`, among those that `goes` is true for. There is one.
template <typename Goes>
SerialThread* next_of(const Candidates& candidates, const SerialThread& self, Goes goes) {
  SerialThread* first = nullptr;
  for (std::uint32_t i = 0; i < candidates.count; ++i) {
    SerialThread* const thread = candidates.list[i];
    if (!goes(*thread)) continue;
    if (thread->order > self.order) return thread;
    if (first == nullptr) first = thread;
  }
  return first;
}

enum class Equals { kTakeTurns, kOneGoesOn, kYoungestGoesOn };

// Of those with the highest rank, one goes on. A thread that has the very first rank is not
// interrupted; among others it depends.
template <typename Rank>
SerialThread* highest(const Candidates& candidates, SerialThread& self, Equals equals, Rank rank) {
  std::uint64_t best = 0;
  for (std::uint32_t i = 0; i < candidates.count; ++i) {
    const std::uint64_t one = rank(*candidates.list[i]);
    if (one > best) best = one;
  }
  const auto is_best = [&](const SerialThread& one) { return rank(one) == best; };
  const bool stays = best == kFirst || equals != Equals::kTakeTurns;
  if (stays && candidates.has(&self) && is_best(self)) return &self;
  if (equals != Equals::kYoungestGoesOn) return next_of(candidates, self, is_best);
  std::uint32_t last = candidates.count - 1;
  while (!is_best(*candidates.list[last])) --last;
  return candidates.list[last];
}

bool goes_last(SerialRule rule, const SerialThread& thread) {
  switch (rule) {
    case SerialRule::kWritesLast: return thread.pending.kind == PointKind::kWrite;
    case SerialRule::kReadsLast: return thread.pending.kind == PointKind::kRead;
    case SerialRule::kNestedLast:
      return thread.pending.kind == PointKind::kAcquire && thread.held > 0;
    case SerialRule::kTurnsOfWrites:
    case SerialRule::kAfterWriteLast: return thread.done == PointKind::kWrite;
    case SerialRule::kAfterReadLast: return thread.done == PointKind::kRead && thread.points > 1;
    case SerialRule::kAfterReleaseLast: return thread.gave_back;
    case SerialRule::kAlike:
    case SerialRule::kTurns: break;
  }
  return false;
}

}  // namespace

SerialThread* by_rule(std::uint32_t rule, const Candidates& candidates, SerialThread& self,
                      SerialThread& usual) {
  constexpr auto kTurns = static_cast<std::uint32_t>(SerialRule::kTurns);
  if (rule >= 2 * kTurns) {
    const bool goes_on = self.turn <= rule - 2 * kTurns + 1;
    return goes_on ? &usual : next_of(candidates, self, [](const SerialThread&) { return true; });
  }
  const auto which = static_cast<SerialRule>(rule % kTurns);
  const bool in_turns = which == SerialRule::kTurnsOfWrites || which == SerialRule::kAlike;
  const Equals equals = in_turns ? Equals::kTakeTurns : Equals::kOneGoesOn;
  return highest(candidates, self, rule < kTurns ? equals : Equals::kYoungestGoesOn,
                 [&](const SerialThread& one) -> std::uint64_t {
                   if (which == SerialRule::kAlike) return ~0u - one.most_visits;
                   // The main thread creates the others, which could not meet before.
                   if (one.order == 0 && rule < kTurns) return kFirst;
                   return goes_last(which, one) ? 0 : kFirst;
                 });
}

// What a place is depends on the seed: the code, the code in this thread, or this visit of it. So
// does how many priorities there are: few of them hold few threads up.
SerialThread* by_places(const wire::SerialBoard& board, const Candidates& candidates,
                        SerialThread& self) {
  const std::uint64_t kind = mixed(board.seed + 1);
  constexpr Equals kEquals[] = {Equals::kTakeTurns, Equals::kOneGoesOn, Equals::kOneGoesOn,
                                Equals::kYoungestGoesOn};
  return highest(candidates, self, kEquals[kind / 16 % 4], [&](const SerialThread& one) {
    std::uint64_t place = mixed(board.seed + mixed(one.place + 1));
    const bool begins = one.points == 0;
    if (kind % 4 == 2 || begins) place = mixed(place + one.order);
    if (kind % 4 == 3) place = mixed(place + one.visit);
    switch (kind / 4 % 4) {
      case 0: return place % 2 == 0 ? std::uint64_t{0} : kFirst;
      case 1: return place % 4 == 0 ? std::uint64_t{0} : kFirst;
      case 2: return place % 4 == 0 ? kFirst : place % 4;
      default: return place;
    }
  });
}

}  // namespace omnium::runtime
