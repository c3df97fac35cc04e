// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/commit_node.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "predict/thread_reach.h"

namespace omnium::predict {

namespace {

class CycleSearch {
 public:
  CycleSearch(const Forest& forest, const InterEdges& edges)
      : forest_(forest), edges_(edges), reached_(forest.unit_counts.size(), kNotReached) {}

  // Sets exit, entry and partner_thread if the unit is on a cycle.
  bool find(SuspectUnit& suspect, const std::vector<NodeIndex>& cuts) {
    if (sweep(suspect, cuts, false)) return true;
    return sweep(suspect, cuts, true);
  }

 private:
  // Goes through the nodes in order and keeps what the nodes that are over by then reach.
  bool sweep(SuspectUnit& suspect, const std::vector<NodeIndex>& cuts, bool through_others) {
    std::fill(reached_.begin(), reached_.end(), kNotReached);
    const auto& nodes = suspect.nodes;
    std::vector<std::size_t> by_close(nodes.size());
    std::iota(by_close.begin(), by_close.end(), std::size_t{0});
    std::sort(by_close.begin(), by_close.end(),
              [&](std::size_t a, std::size_t b) { return nodes[a].close < nodes[b].close; });
    auto over = by_close.begin();
    auto cut = cuts.begin();
    for (std::size_t entry = 0; entry < nodes.size(); ++entry) {
      NodeIndex part = 0;
      for (; cut != cuts.end() && *cut <= nodes[entry].token; ++cut) part = *cut;
      if (part != 0) std::fill(reached_.begin(), reached_.end(), kNotReached);
      bool fresh = false;
      for (; over != by_close.end() && nodes[*over].close < nodes[entry].token; ++over) {
        if (nodes[*over].close >= part) fresh |= lower(nodes[*over].partners);
      }
      if (fresh && through_others) reach().close(reached_, forest_.units[suspect.unit.v].thread());
      for (const ThreadPartner& partner : nodes[entry].partners) {
        if (!partner.can_enter() || reached_[partner.thread.v] > partner.enter_from) continue;
        suspect.entry = entry;
        suspect.partner_thread = partner.thread;
        suspect.direct = !through_others;
        choose_exit(suspect, partner);
        return true;
      }
    }
    return false;
  }

  bool lower(const std::vector<ThreadPartner>& partners) {
    bool changed = false;
    for (const ThreadPartner& partner : partners) {
      if (reached_[partner.thread.v] <= partner.leave_to) continue;
      reached_[partner.thread.v] = partner.leave_to;
      changed = true;
    }
    return changed;
  }

  // The nearest node before the entry that leads there; on longer paths just the nearest one.
  void choose_exit(SuspectUnit& suspect, const ThreadPartner& back) const {
    for (std::size_t i = suspect.entry; i-- > 0;) {
      const CommunicationNode& node = suspect.nodes[i];
      if (node.close > suspect.nodes[suspect.entry].token || !node.can_leave()) continue;
      suspect.exit = i;
      if (!suspect.direct) return;
      for (const ThreadPartner& partner : node.partners) {
        if (partner.thread == back.thread && partner.leave_to <= back.enter_from) return;
      }
    }
  }

  const ThreadReach& reach() {
    if (!reach_) reach_.emplace(forest_, edges_);
    return *reach_;
  }

  const Forest& forest_;
  const InterEdges& edges_;
  std::optional<ThreadReach> reach_;  // built when it is needed first
  std::vector<Position> reached_;     // per thread: the first unit that the exits reach
};

}  // namespace

std::vector<SuspectUnit> find_suspects(const Forest& forest, const InterEdges& edges, Waits waits,
                                       CommitNodeStats& stats) {
  Communication communication(forest, edges, waits);
  CycleSearch search(forest, edges);
  std::vector<SuspectUnit> suspects;
  for (std::uint32_t u = 0; u < forest.units.size(); ++u) {
    if (!forest.units[u].transaction) continue;
    SuspectUnit suspect;
    suspect.unit = UnitId{u};
    suspect.nodes = communication.nodes(UnitId{u});
    suspect.commits = Communication::commit_nodes(suspect.nodes);
    stats.communication_nodes += suspect.nodes.size();
    stats.commit_nodes += suspect.commits.size();
    if (suspect.commits.size() < 2) continue;  // [theorems 4.1, 4.4]
    ++stats.several_commit_nodes;
    communication.find_partners(UnitId{u}, suspect.nodes);
    const auto cuts = communication.cuts(UnitId{u});
    if (search.find(suspect, cuts)) suspects.push_back(std::move(suspect));  // [theorems 4.3, 4.6]
  }
  std::sort(suspects.begin(), suspects.end(), [&](const SuspectUnit& a, const SuspectUnit& b) {
    return forest.units[a.unit.v].block.begin < forest.units[b.unit.v].block.begin;
  });
  return suspects;
}

}  // namespace omnium::predict
