// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "model/path.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "model/workers.h"
#include "support/check.h"

namespace omnium::model {

namespace {

using Bytes = std::vector<std::byte>;
constexpr std::uint32_t kStretch = 256;

// Looks for a move of `length` events to one state, and keeps the first.
class TargetFinder final : public SuccessorSink {
 public:
  TargetFinder(const Space& space, const Bytes& target) : expander_(space), target_(target) {}

  bool leads_there(const std::byte* state, std::size_t length) {
    found_ = false;
    length_ = length;
    expander_.expand(state, *this);
    return found_;
  }
  const std::vector<RunEvent>& events() const { return events_; }
  const std::vector<std::uint32_t>& order() const { return order_; }

 private:
  void successor(std::uint32_t, const std::byte* state,
                 const std::vector<RunEvent>& events) override {
    if (found_ || events.size() != length_) return;
    if (std::memcmp(state, target_.data(), target_.size()) != 0) return;
    found_ = true;
    events_ = events;
    order_ = expander_.order();
  }
  void violation(std::uint32_t, const std::vector<RunEvent>&) override {}
  void fault(std::uint32_t, const Fault&, const std::vector<RunEvent>&) override {}

  Expander expander_;
  const Bytes& target_;
  std::size_t length_ = 0;
  bool found_ = false;
  std::vector<RunEvent> events_;
  std::vector<std::uint32_t> order_;
};

// The least state of `level` from which a move of `length` events leads to `target`; empty if none.
Bytes predecessor(const Bytes& target, std::size_t level, std::size_t length, const Space& space,
                  const Visited& visited, const Levels& levels, std::uint32_t workers) {
  const std::vector<Stretch> stretches = levels.stretches(level, kStretch);
  std::vector<Bytes> least(workers);
  std::vector<TargetFinder> finders;
  finders.reserve(workers);
  for (std::uint32_t i = 0; i < workers; ++i) finders.emplace_back(space, target);
  share(workers, stretches.size(), [&](std::uint32_t worker, std::size_t item) {
    const Stretch& stretch = stretches[item];
    for (std::uint32_t i = stretch.first; i < stretch.last; ++i) {
      const std::byte* state = visited.state(stretch.shard, i);
      Bytes& mine = least[worker];
      const bool smaller =
          mine.empty() ||
          std::lexicographical_compare(state, state + target.size(), mine.begin(), mine.end());
      if (smaller && finders[worker].leads_there(state, length)) {
        mine.assign(state, state + target.size());
      }
    }
    return true;
  });
  Bytes best;
  for (const Bytes& candidate : least) {
    if (!candidate.empty() && (best.empty() || candidate < best)) best = candidate;
  }
  return best;
}

}  // namespace

void append_renamed(const std::vector<RunEvent>& events, const std::vector<std::uint32_t>& names,
                    std::vector<RunEvent>& out) {
  for (RunEvent event : events) {
    event.thread = names[event.thread];
    out.push_back(event);
  }
}

Path path_to(const std::vector<std::byte>& state, std::size_t level, const Space& space,
             const Visited& visited, const Levels& levels, std::uint32_t workers) {
  struct Stop {
    Bytes state;
    std::size_t level;
  };
  std::vector<Stop> stops{{state, level}};
  while (stops.back().level > 0) {
    const Stop& last = stops.back();
    Stop before{{}, last.level};
    for (std::size_t length = 1; before.state.empty(); ++length) {
      CHECK(length <= last.level && length < Stepper::kMostEvents);
      before.level = last.level - length;
      before.state = predecessor(last.state, before.level, length, space, visited, levels, workers);
    }
    stops.push_back(std::move(before));
  }
  Path path;
  path.names.resize(space.layout.threads());
  std::iota(path.names.begin(), path.names.end(), 0u);
  // The first state was sorted, too, but interchangeable threads start alike.
  for (std::size_t i = stops.size() - 1; i > 0; --i) {
    TargetFinder finder(space, stops[i - 1].state);
    CHECK(finder.leads_there(stops[i].state.data(), stops[i - 1].level - stops[i].level));
    append_renamed(finder.events(), path.names, path.events);
    if (!space.symmetry) continue;
    std::vector<std::uint32_t> names = path.names;
    for (std::size_t t = 0; t < finder.order().size(); ++t) {
      names[t] = path.names[finder.order()[t]];
    }
    path.names = std::move(names);
  }
  return path;
}

}  // namespace omnium::model
