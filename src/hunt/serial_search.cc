// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "hunt/serial_search.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace omnium::hunt {

namespace {

constexpr std::size_t kMostKept = 512, kMostSwept = 256, kMostSwitches = 3;

enum class Turn { kRule, kPlaces, kWalk, kPriorities, kPartialOrder, kWeighted, kSweep, kContinue };
constexpr std::array kTurns = {
    Turn::kRule, Turn::kRule,         Turn::kRule,       Turn::kRule,  Turn::kPartialOrder,
    Turn::kRule, Turn::kPlaces,       Turn::kSweep,      Turn::kRule,  Turn::kContinue,
    Turn::kRule, Turn::kPlaces,       Turn::kPriorities, Turn::kSweep, Turn::kContinue,
    Turn::kRule, Turn::kPartialOrder, Turn::kPlaces,     Turn::kSweep, Turn::kContinue,
    Turn::kRule, Turn::kWeighted,     Turn::kPlaces,     Turn::kSweep, Turn::kContinue,
    Turn::kRule, Turn::kWalk,         Turn::kPlaces};
// From then on chance alone has had its turn.
constexpr std::uint64_t kManyRuns = 200, kFreshOnes = 8;

// Points at places that were not visited before come first: loops have many points.
std::vector<SerialPoint> rare_ones_first(std::vector<SerialPoint> points) {
  std::ranges::stable_sort(points, {}, &SerialPoint::visit);
  return points;
}

std::string_view words_of(wire::SerialRule rule) {
  using wire::SerialRule;
  switch (rule) {
    case SerialRule::kTurnsOfWrites: return "in turns of a write";
    case SerialRule::kWritesLast: return "writes last";
    case SerialRule::kNestedLast: return "second locks last";
    case SerialRule::kAfterReadLast: return "late after reads";
    case SerialRule::kAfterWriteLast: return "late after writes";
    case SerialRule::kAfterReleaseLast: return "late after unlocking";
    case SerialRule::kAlike: return "all alike";
    case SerialRule::kReadsLast: return "reads last";
    case SerialRule::kTurns: break;
  }
  return "";
}

std::string in_words(std::uint32_t rule) {
  constexpr auto kOthers = static_cast<std::uint32_t>(wire::SerialRule::kTurns);
  if (rule >= 2 * kOthers) return fmt::format("in turns of {}", rule - 2 * kOthers + 1);
  return fmt::format("{}{}", words_of(static_cast<wire::SerialRule>(rule % kOthers)),
                     rule < kOthers ? "" : ", younger threads first");
}

}  // namespace

std::string SerialSearch::name_of(const SerialPlan& plan) {
  if (plan.begin > 0) return "serial, continued";
  switch (plan.strategy) {
    case SerialStrategy::kFollow: return fmt::format("serial, {} switches", plan.switches.size());
    case SerialStrategy::kWalk: return "serial, random walk";
    case SerialStrategy::kPriorities: return fmt::format("serial, priorities ({})", plan.depth);
    case SerialStrategy::kPartialOrder: return "serial, partial orders";
    case SerialStrategy::kWeighted: return "serial, weights";
    case SerialStrategy::kPlaces: return "serial, places";
    case SerialStrategy::kRule: return fmt::format("serial, {}", in_words(plan.rule));
    case SerialStrategy::kSteps: return "serial, steered";
  }
  return "serial";
}

SerialPlan SerialSearch::followed(std::vector<Switch> switches) const {
  SerialPlan plan;
  plan.switches = std::move(switches);
  plan.places = places_;
  plan.clock_start = clock_start_;
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
  plan.hasty = knows_time_ && below(2) == 0;
  return plan;
}

Switch SerialSearch::switch_at(const SerialPoint& point, std::size_t to) const {
  return {point.thread, counts_[to].path.text, false, point.place, point.visit};
}

// One more switch: at each point, to each thread.
SerialPlan SerialSearch::swept() {
  if (!has_base_) return followed({});
  while (!sweeping_.empty() && !counts_.empty()) {
    Swept& kept = sweeping_.front();
    const std::size_t point = kept.next / counts_.size(), to = kept.next % counts_.size();
    if (point >= kept.points.size()) {
      sweeping_.pop_front();
      continue;
    }
    ++kept.next;
    if (kept.points[point].thread == counts_[to].path.text) continue;
    std::vector<Switch> switches = kept.switches;
    switches.push_back(switch_at(kept.points[point], to));
    SerialPlan plan = followed(std::move(switches));
    plan.hasty = kept.hasty;
    return plan;
  }
  return by_chance(SerialStrategy::kWalk);
}

// The beginning of a run in which something new happened. It is cut off anywhere, and chance goes
// on: what needs many switches is reached in steps, each of which shows that it leads somewhere.
SerialPlan SerialSearch::continued() {
  constexpr std::size_t kLatest = 20;
  if (kept_.empty()) return by_chance(SerialStrategy::kPartialOrder);
  const bool any = below(2) == 0;
  const std::size_t which =
      any ? below(kept_.size()) : kept_.size() - 1 - below(std::min(kLatest, kept_.size()));
  const Kept& kept = kept_[which];
  constexpr std::array kThen = {SerialStrategy::kWalk, SerialStrategy::kPlaces,
                                SerialStrategy::kPartialOrder, SerialStrategy::kPartialOrder};
  SerialPlan plan = by_chance(kThen[below(kThen.size())]);
  plan.begin = below(kept.length + 1);
  plan.hasty = kept.hasty;
  for (const Switch& one : kept.switches) {
    if (one.time < plan.begin) plan.switches.push_back(one);
  }
  return plan;
}

// Each rule once; and once more in haste, if the program knows time.
SerialPlan SerialSearch::by_rule() {
  if (rules_ >= wire::kSerialRules * (knows_time_ ? 2 : 1)) {
    return by_chance(SerialStrategy::kPlaces);
  }
  SerialPlan plan = by_chance(SerialStrategy::kRule);
  plan.rule = static_cast<std::uint32_t>(rules_ % wire::kSerialRules);
  plan.hasty = rules_++ >= wire::kSerialRules;
  return plan;
}

SerialPlan SerialSearch::next() {
  const std::uint64_t run = runs_++;
  if (run < learning_) return followed({});
  if (run > kManyRuns && run % kFreshOnes != 0) return continued();
  const std::uint64_t turn = run > kManyRuns ? run / kFreshOnes : run - learning_;
  switch (kTurns[turn % kTurns.size()]) {
    case Turn::kRule: return by_rule();
    case Turn::kPlaces: return by_chance(SerialStrategy::kPlaces);
    case Turn::kWalk: return by_chance(SerialStrategy::kWalk);
    case Turn::kPriorities: return by_chance(SerialStrategy::kPriorities);
    case Turn::kPartialOrder: return by_chance(SerialStrategy::kPartialOrder);
    case Turn::kWeighted: return by_chance(SerialStrategy::kWeighted);
    case Turn::kSweep: return swept();
    case Turn::kContinue: return continued();
  }
  return followed({});
}

SerialPlan SerialSearch::by_steps(const std::set<Code>& at, std::uint64_t number) {
  SerialPlan plan = by_chance(SerialStrategy::kSteps);
  if (number == 0) plan.seed = 0;
  plan.hasty = knows_time_ && number % 2 == 1;
  plan.places.insert(at.begin(), at.end());
  return plan;
}

void SerialSearch::know(const std::set<Code>& shared) {
  places_.insert(shared.begin(), shared.end());
  if (runs_ == 0 && !shared.empty()) learning_ = 0;
}

void SerialSearch::take(const SerialPlan& plan, const SerialResult& result) {
  if (!result.is_serial) return;
  places_.insert(result.places.begin(), result.places.end());
  if (result.counts.size() >= counts_.size()) counts_ = result.counts;
  length_ = std::max(length_, result.point_count);
  knows_time_ |= result.knows_time;
  const bool is_new = result.last_new != 0;
  const bool follows = plan.strategy == SerialStrategy::kFollow;
  const bool is_first = !has_base_ && runs_ >= learning_ && follows;
  const bool grows = follows && is_new && result.switches.size() < kMostSwitches;
  has_base_ |= is_first;
  if (runs_ >= learning_ && (is_first || grows) && sweeping_.size() < kMostSwept) {
    const auto points = rare_ones_first(result.points);
    sweeping_.push_back({result.switches, points, plan.hasty, 0});
    if (is_first && knows_time_) sweeping_.push_back({result.switches, points, true, 0});
  }
  if (!is_new || !result.is_exact) return;
  Kept kept{result.switches, result.last_new, plan.hasty};
  std::erase_if(kept.switches, [&](const Switch& one) { return one.time > result.last_new; });
  kept_.push_back(std::move(kept));
  if (kept_.size() > kMostKept) kept_.pop_front();
}

}  // namespace omnium::hunt
