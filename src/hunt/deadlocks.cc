// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "hunt/deadlocks.h"

#include "support/place.h"

namespace omnium::hunt {

namespace {

constexpr std::size_t kMostThreads = 8;

std::string position(const Event& event, const Names& names) {
  if (event.loc().is_none()) return "";
  return std::string(support::place_of(names.locations.name(event.loc().v)).position);
}

}  // namespace

std::vector<Target> deadlock_targets(const predict::DeadlockPotential& potential,
                                     const predict::LoadedTrace& trace, const Names& names,
                                     std::size_t most) {
  std::vector<Target> out;
  for (const std::vector<predict::LockOrder>& cycle : potential.cycles) {
    const std::size_t threads = cycle.size();
    if (out.size() == most) break;
    if (threads < 2 || threads > kMostThreads) continue;
    Target target;
    const auto add = [&](std::size_t role, EventIndex at) {
      Step step;
      step.role = role;
      step.kind = Step::Kind::kAcquire;
      step.access = position(trace.original(at), names);
      target.steps.push_back(std::move(step));
    };
    for (std::size_t i = 0; i < threads; ++i) add(i, cycle[i].outer_at);
    for (std::size_t i = 0; i < threads; ++i) {
      add(i, cycle[i].inner_at);
      // It is the next thread's first lock.
      target.steps.back().same = (i + 1) % threads;
      target.steps.back().late = true;
    }
    out.push_back(std::move(target));
  }
  return out;
}

}  // namespace omnium::hunt
