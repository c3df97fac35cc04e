// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A recording as one kind of atomicity sees it: periods, access trees, inter-edges, suspects. Each
// is built when it is needed first.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "predict/commit_node.h"
#include "predict/tree_builder.h"

namespace omnium::predict {

class World {
 public:
  World(const Recording& recording, const SharedObjects& shared, Atomicity atomicity,
        AtomicReads reads, Waits waits, const TreeOptions& trees)
      : atomicity_(atomicity),
        waits_(waits),
        periods(recording, reads),
        forest(build_forest(recording, periods, shared, atomicity, waits, trees)) {}

  const InterEdges& edges() {
    if (!edges_) edges_.emplace(forest, periods, atomicity_);
    return *edges_;
  }
  // What commit-node suspects, by begin.
  const std::vector<SuspectUnit>& suspects() {
    if (!suspects_) suspects_ = find_suspects(forest, edges(), waits_, stats_);
    return *suspects_;
  }
  const CommitNodeStats& stats() const { return stats_; }
  // The suspect with that first event, or null.
  const SuspectUnit* suspect(const BlockRef& block);

 private:
  Atomicity atomicity_;
  Waits waits_;

 public:
  const ThreadPeriods periods;
  const Forest forest;

 private:
  std::optional<InterEdges> edges_;
  std::optional<std::vector<SuspectUnit>> suspects_;
  CommitNodeStats stats_;
  std::map<BlockRef, const SuspectUnit*> by_block_;
};

}  // namespace omnium::predict
