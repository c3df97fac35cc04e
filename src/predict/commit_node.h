// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The commit-node algorithm [Wang, Stoller 4]: which transactions might not be atomic in some
// interleaving of the same events?
//
// A transaction with at most one commit node is fine (theorems 4.1 and 4.4). With more, it is
// suspect if it can be left through one communication node and entered again through a later one
// that does not overlap with it, along a path through units of other threads (theorems 4.3 and 4.6,
// with program order, fork and join as part of the path; docs/algorithms/commit-node.md), and
// neither a wait nor a failed attempt begins a new part in between in every interleaving.
#pragma once

#include <vector>

#include "predict/communication.h"

namespace omnium::predict {

struct SuspectUnit {
  UnitId unit;
  std::vector<CommunicationNode> nodes;  // in order, with partners
  std::vector<std::size_t> commits;      // indices into nodes
  std::size_t exit = 0;                  // left through nodes[exit] ...
  std::size_t entry = 0;                 // ... and entered again through nodes[entry]
  ThreadId partner_thread;               // where the way back comes from
  bool direct = false;                   // one thread's units are the whole path
};

struct CommitNodeStats {
  std::uint64_t communication_nodes = 0;
  std::uint64_t commit_nodes = 0;
  std::uint64_t several_commit_nodes = 0;  // transactions that theorems 4.1 and 4.4 leave open
};

// Suspect transactions by their begin.
std::vector<SuspectUnit> find_suspects(const Forest& forest, const InterEdges& edges, Waits waits,
                                       CommitNodeStats& stats);

}  // namespace omnium::predict
