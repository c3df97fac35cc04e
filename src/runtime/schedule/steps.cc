// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/schedule/steps.h"

#include "runtime/schedule/progress.h"
#include "runtime/schedule/sharing.h"

namespace omnium::runtime {

namespace {

constinit Progress progress = {};
bool is_wanted;
std::uint32_t tries_left = 8;
std::uint32_t holding = Progress::kNobody;  // the thread that lets all others go before it goes on

void share_places() {
  const Target& target = progress.target();
  for (std::uint32_t i = 0; i < target.count; ++i) {
    const Codes& codes = target.steps[i].access;
    for (std::size_t at = 0; at < codes.count; ++at) share_place(codes.pcs[at]);
  }
}

// Greater: goes first.
enum class Rank { kWaits, kHolds, kLate, kGoes };
Rank rank_of(const SerialThread& thread) {
  if (holding == thread.order) return Rank::kHolds;
  if (tries_left == 0 || !progress.may_contain(thread.pending.pc)) return Rank::kGoes;
  switch (progress.look(thread.order, thread.pending)) {
    case Answer::kWait: return Rank::kWaits;
    case Answer::kGoLate: return Rank::kLate;
    case Answer::kGo: break;
  }
  return Rank::kGoes;
}

}  // namespace

void prepare_steps(const char* path) {
  progress.read(path);
  share_places();
  is_wanted = true;
}

void steps_modules_changed() {
  if (!is_wanted) return;
  find_modules_of_target();
  progress.place_target();
  share_places();
}

SerialThread* by_steps(const Candidates& candidates, const SerialThread& self, SerialThread& usual,
                       Dice* dice) {
  Rank best = Rank::kWaits;
  for (std::uint32_t i = 0; i < candidates.count; ++i) {
    const Rank rank = rank_of(*candidates.list[i]);
    if (rank > best) best = rank;
  }
  Candidates some;
  for (std::uint32_t i = 0; i < candidates.count; ++i) {
    if (rank_of(*candidates.list[i]) == best) some.add(*candidates.list[i]);
  }
  constexpr std::uint32_t kSeldom = 4;
  if (dice != nullptr && dice->below(kSeldom) == 0) return some.list[dice->below(some.count)];
  return some.has(&usual) ? &usual : &some.next_after(self);
}

bool wait_for_steps(const Candidates& candidates) {
  if (!is_wanted || candidates.count == 0) return false;
  for (std::uint32_t i = 0; i < candidates.count; ++i) {
    if (rank_of(*candidates.list[i]) != Rank::kWaits) return false;
  }
  return true;
}

void note_step(const SerialThread& self, const Point& point) {
  if (!is_wanted) return;
  if (holding == self.order) holding = Progress::kNobody;
  if (tries_left == 0 || !progress.may_contain(point.pc)) return;
  const Progress::Done done = progress.go(self.order, point);
  if (done.holds) holding = self.order;
  if (done.is_over) tries_left = 0;
  if (done.answer != Answer::kWait) return;
  // All others waited for it, or for something else.
  progress.start_again();
  --tries_left;
}

}  // namespace omnium::runtime
