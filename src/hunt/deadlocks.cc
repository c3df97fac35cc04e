// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "hunt/deadlocks.h"

#include <map>
#include <set>
#include <utility>

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

// Each place that waits, after each place that signals something to another thread. A thread that
// waits is stopped where it takes the lock that it gives up then.
std::vector<Target> lost_signals(const predict::LoadedTrace& trace, const Names& names,
                                 std::size_t most) {
  std::map<std::pair<ThreadId, LockId>, std::string> taken;  // where
  std::set<std::pair<std::string, std::string>> waits;       // place, and where the lock was taken
  std::set<std::string> signals;
  for (EventIndex i = 0; i < trace.events.size(); ++i) {
    const Event event = trace.original(i);
    const std::string place = position(event, names);
    if (event.kind == Kind::kAcquire) taken[{event.thread(), event.lock()}] = place;
    if (event.kind == Kind::kWait) waits.emplace(place, taken[{event.thread(), event.lock()}]);
    if (event.kind == Kind::kSignal) signals.insert(place);
  }
  std::vector<Target> out;
  for (const auto& [place, gate] : waits) {
    for (const std::string& signal : signals) {
      if (out.size() == most || place.empty() || signal.empty()) continue;
      Step first, then;
      first.kind = then.kind = Step::Kind::kAcquire;
      first.access = signal;
      then.role = 1;
      then.access = place;
      then.gate = gate;
      then.late = true;
      out.push_back({"", {first, then}});
    }
  }
  return out;
}

}  // namespace omnium::hunt
