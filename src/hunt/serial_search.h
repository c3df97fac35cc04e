// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which serial run comes next? Several strategies take turns: random walks, priorities (PCT),
// partial orders (POS), weights (SURW), simple rules, priorities of places, few switches
// systematically (PERIOD), and changes to schedules in which something was read from somewhere new
// (RFF).
#pragma once

#include <deque>
#include <random>

#include "hunt/serial_run.h"

namespace omnium::hunt {

class SerialSearch {
 public:
  // `clock_start`: of a virtual clock; 0: the real one.
  explicit SerialSearch(std::uint64_t seed, std::uint64_t clock_start = 0)
      : random_(seed), clock_start_(clock_start) {}

  SerialPlan next();
  // What the run that next() wanted has shown.
  void take(const SerialPlan& plan, const SerialResult& result);
  // A run by the steps of a target, which are at these places. The first one leaves nothing to
  // chance.
  SerialPlan by_steps(const std::set<Code>& at, std::uint64_t number);
  // How the run went that next() wanted, in a word or two.
  static std::string name_of(const SerialPlan& plan);

  // Accesses of which others have shown that several threads make them.
  void know(const std::set<Code>& shared);
  const std::set<Code>& places() const { return places_; }

 private:
  // A schedule of few switches, and the points that its run came to.
  struct Swept {
    std::vector<Switch> switches;
    std::vector<SerialPoint> points;
    bool hasty = false;
    std::size_t next = 0;  // of the points: where a switch is added next
  };
  // The beginning of a run, up to the point where something new happened.
  struct Kept {
    std::vector<Switch> switches;
    std::uint64_t length = 0;
    bool hasty = false;
  };

  SerialPlan followed(std::vector<Switch> switches) const;
  SerialPlan swept();
  SerialPlan continued();
  SerialPlan by_chance(SerialStrategy strategy);
  SerialPlan by_rule();
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }
  Switch switch_at(const SerialPoint& point, std::size_t to) const;

  std::mt19937_64 random_;
  std::uint64_t clock_start_;
  std::uint64_t runs_ = 0, rules_ = 0;
  std::uint64_t learning_ = 2;  // runs, before anything is turned round
  bool has_base_ = false;       // there was a run without switches that knew the shared places
  std::set<Code> places_;
  std::vector<wire::SerialThreadCount> counts_;  // of the latest run
  std::uint64_t length_ = 0;
  bool knows_time_ = false;
  std::deque<Swept> sweeping_;  // schedules that get one switch more
  std::deque<Kept> kept_;
};

}  // namespace omnium::hunt
