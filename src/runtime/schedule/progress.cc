// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/schedule/progress.h"

#include "runtime/system/channel.h"
#include "runtime/system/options.h"

namespace omnium::runtime {

namespace {

bool is_step(const Point& point, const TargetStep& step) {
  const bool matches = (step.reads && point.kind == PointKind::kRead) ||
                       (step.writes && point.kind == PointKind::kWrite) ||
                       (step.acquires && point.kind == PointKind::kAcquire);
  return matches && step.access.has(point.pc);
}

bool is_gate(const Point& point, const TargetStep& step) {
  return point.kind == PointKind::kAcquire && step.gate.has(point.pc);
}

void add_to(PlaceFilter& filter, const Codes& codes) {
  for (std::size_t i = 0; i < codes.count; ++i) filter.add(codes.pcs[i]);
}

}  // namespace

void Progress::read(const char* path) {
  if (const char* wrong = read_target(path, target_)) refuse_value("steer: the target", wrong);
  fill_filter();
  start_again();
}

void Progress::place_target() {
  place_in_modules(target_);
  fill_filter();
}

void Progress::fill_filter() {
  for (std::uint32_t i = 0; i < target_.count; ++i) {
    add_to(filter_, target_.steps[i].access);
    add_to(filter_, target_.steps[i].gate);
  }
}

void Progress::start_again() {
  next_ = 0;
  for (std::uint32_t& player : players_) player = kNobody;
}

bool Progress::plays_another(std::uint32_t number, std::uint32_t role) const {
  for (std::uint32_t i = 0; i < Target::kMostRoles; ++i) {
    if (i != role && players_[i] == number) return true;
  }
  return false;
}

// May the thread do the step, now or later? A role that nobody plays begins with its first step.
bool Progress::may_play(std::uint32_t number, std::uint32_t step) const {
  const std::uint32_t role = target_.steps[step].role;
  const std::uint32_t player = players_[role];
  if (player != kNobody) return player == number;
  for (std::uint32_t i = 0; i < step; ++i) {
    if (target_.steps[i].role == role) return false;
  }
  return !plays_another(number, role);
}

bool Progress::has_memory(const Point& point, const TargetStep& step) const {
  if (step.same < 0) return true;
  const std::uintptr_t other = accessed_[step.same];
  constexpr std::uintptr_t kNear = 8;  // accesses of different sizes may overlap
  return point.address < other + kNear && other < point.address + kNear;
}

Progress::Found Progress::at_step(std::uint32_t number, std::uint32_t step,
                                  const Point& point) const {
  const TargetStep& wanted = target_.steps[step];
  if (step == next_) {
    const bool late = wanted.late && wanted.gate.count == 0;
    return {step, late ? Answer::kGoLate : Answer::kGo, has_memory(point, wanted), false};
  }
  if (wanted.gate.count == 0) return {step, Answer::kWait, false, false};
  return {step, Answer::kGo, false, players_[wanted.role] == number};
}

Progress::Found Progress::find(std::uint32_t number, const Point& point) const {
  for (std::uint32_t i = next_; i < target_.count; ++i) {
    const TargetStep& step = target_.steps[i];
    if (is_gate(point, step) && may_play(number, i)) {
      const Answer now = step.late ? Answer::kGoLate : Answer::kGo;
      return {i, i == next_ ? now : Answer::kWait, false, false};
    }
    if (is_step(point, step) && may_play(number, i)) return at_step(number, i, point);
  }
  return {};
}

Answer Progress::look(std::uint32_t number, const Point& point) const {
  return find(number, point).answer;
}

Progress::Done Progress::go(std::uint32_t number, const Point& point) {
  const Found found = find(number, point);
  Done done{found.answer, found.takes || found.lost, false, false};
  if (found.lost) start_again();
  if (!found.takes) return done;
  players_[target_.steps[found.step].role] = number;
  accessed_[found.step] = point.address;
  next_ = found.step + 1;
  done.holds = target_.steps[found.step].hold;
  done.is_over = next_ == target_.count;
  wire::Counters& shared = counters();
  if (next_ > shared.steered_steps) shared.steered_steps = next_;
  if (done.is_over) shared.steered_to_end.fetch_add(1, std::memory_order_relaxed);
  return done;
}

}  // namespace omnium::runtime
