// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "hunt/serial_search.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace omnium::hunt {

namespace {

constexpr std::size_t kMostKept = 64, kMostSwept = 256, kMostSwitches = 3;
constexpr std::size_t kLearning = 2;  // runs, before anything is turned round

enum class Turn { kWalk, kPriorities, kPartialOrder, kWeighted, kSweep, kChange };
constexpr std::array kTurns = {
    Turn::kSweep,  Turn::kPartialOrder, Turn::kPriorities, Turn::kWeighted,   Turn::kSweep,
    Turn::kChange, Turn::kPartialOrder, Turn::kWalk,       Turn::kPriorities, Turn::kWeighted};

// Points at places that were not visited before come first: loops have many points.
std::vector<SerialPoint> rare_ones_first(std::vector<SerialPoint> points) {
  std::ranges::stable_sort(points, {}, &SerialPoint::visit);
  return points;
}

}  // namespace

std::string SerialSearch::name_of(const SerialPlan& plan) {
  switch (plan.strategy) {
    case SerialStrategy::kFollow: return fmt::format("serial, {} switches", plan.switches.size());
    case SerialStrategy::kWalk: return "serial, random walk";
    case SerialStrategy::kPriorities: return fmt::format("serial, priorities ({})", plan.depth);
    case SerialStrategy::kPartialOrder: return "serial, partial orders";
    case SerialStrategy::kWeighted: return "serial, weights";
  }
  return "serial";
}

SerialPlan SerialSearch::followed(std::vector<Switch> switches) const {
  SerialPlan plan;
  plan.switches = std::move(switches);
  plan.places = places_;
  return plan;
}

SerialPlan SerialSearch::by_chance(SerialStrategy strategy) {
  SerialPlan plan = followed({});
  plan.strategy = strategy;
  plan.seed = random_();
  plan.counts = counts_;
  plan.length = length_;
  constexpr std::size_t kDeepest = 5, kChoices = 3;
  plan.depth = static_cast<std::uint32_t>(1 + below(kDeepest));
  plan.selected = static_cast<std::uint32_t>(below(kChoices));
  return plan;
}

Switch SerialSearch::switch_at(const SerialPoint& point, std::size_t to) const {
  return {point.thread, counts_[to].path.text, false, point.place, point.visit};
}

// One more switch: at each point, to each thread.
SerialPlan SerialSearch::swept() {
  while (!sweeping_.empty() && !counts_.empty()) {
    Kept& kept = sweeping_.front();
    const std::size_t point = kept.next / counts_.size(), to = kept.next % counts_.size();
    if (point >= kept.points.size()) {
      sweeping_.pop_front();
      continue;
    }
    ++kept.next;
    if (kept.points[point].thread == counts_[to].path.text) continue;
    std::vector<Switch> switches = kept.switches;
    switches.push_back(switch_at(kept.points[point], to));
    return followed(std::move(switches));
  }
  return by_chance(SerialStrategy::kWalk);
}

// A schedule that showed something new, with a switch more, less, or to another thread.
SerialPlan SerialSearch::changed() {
  if (kept_.empty() || counts_.empty()) return by_chance(SerialStrategy::kPartialOrder);
  const Kept& kept = kept_[below(kept_.size())];
  std::vector<Switch> switches = kept.switches;
  const std::size_t changes = 1 + below(3);
  for (std::size_t i = 0; i < changes; ++i) {
    const std::size_t what = below(4);
    if (what == 0 && !switches.empty()) {
      switches.erase(switches.begin() + static_cast<std::ptrdiff_t>(below(switches.size())));
    } else if (what == 1 && !switches.empty()) {
      switches[below(switches.size())].to = counts_[below(counts_.size())].path.text;
    } else if (!kept.points.empty()) {
      switches.push_back(switch_at(kept.points[below(kept.points.size())], below(counts_.size())));
    }
  }
  return followed(std::move(switches));
}

SerialPlan SerialSearch::next() {
  const std::uint64_t run = runs_++;
  if (run < kLearning) return followed({});
  switch (kTurns[run % kTurns.size()]) {
    case Turn::kWalk: return by_chance(SerialStrategy::kWalk);
    case Turn::kPriorities: return by_chance(SerialStrategy::kPriorities);
    case Turn::kPartialOrder: return by_chance(SerialStrategy::kPartialOrder);
    case Turn::kWeighted: return by_chance(SerialStrategy::kWeighted);
    case Turn::kSweep: return swept();
    case Turn::kChange: return changed();
  }
  return followed({});
}

void SerialSearch::take(const SerialPlan& plan, const SerialResult& result) {
  if (!result.is_serial) return;
  places_.insert(result.places.begin(), result.places.end());
  if (result.counts.size() >= counts_.size()) counts_ = result.counts;
  length_ = std::max(length_, result.point_count);
  pairs_.resize(result.pairs.size());
  bool is_new = false;
  for (std::size_t i = 0; i < result.pairs.size(); ++i) {
    is_new |= (result.pairs[i] & ~pairs_[i]) != 0;
    pairs_[i] |= result.pairs[i];
  }
  const bool follows = plan.strategy == SerialStrategy::kFollow;
  const bool is_first = runs_ == kLearning;
  const bool grows = follows && is_new && result.switches.size() < kMostSwitches;
  if (runs_ >= kLearning && (is_first || grows) && sweeping_.size() < kMostSwept) {
    sweeping_.push_back({result.switches, rare_ones_first(result.points), 0});
  }
  if (!is_new || !result.is_exact) return;
  kept_.push_back({result.switches, result.points, 0});
  if (kept_.size() > kMostKept) kept_.pop_front();
}

}  // namespace omnium::hunt
