// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Communication nodes of a unit: the nodes with an inter-edge. Commit nodes: communication nodes
// that contain no other one [Wang, Stoller 3.3; the paper words it in two ways].
#pragma once

#include <vector>

#include "predict/inter_edges.h"

namespace omnium::predict {

// What a communication node is joined to in one thread.
struct ThreadPartners {
  ThreadId thread;
  Position first_position;
  Position last_position;
  UnitId first;  // none: the thread itself, by fork or join
  UnitId last;
};

struct CommunicationNode {
  NodeIndex token;
  NodeIndex close;
  bool can_leave = true;                 // a join is only entered ...
  bool can_enter = true;                 // ... and a fork only left
  std::vector<ThreadPartners> partners;  // by thread; empty unless asked for
};

// Finds them for one unit after the other; the scratch space is kept.
class Communication {
 public:
  Communication(const Forest& forest, const InterEdges& edges) : forest_(forest), edges_(edges) {}

  // Communication nodes in order.
  std::vector<CommunicationNode> nodes(UnitId unit);
  // Indices into `nodes` of those that contain no other.
  static std::vector<std::size_t> commit_nodes(const std::vector<CommunicationNode>& nodes);
  // Adds the partners. Costs more than finding the nodes.
  void find_partners(UnitId unit, std::vector<CommunicationNode>& nodes);

 private:
  template <class OnAccess, class OnThread>
  void walk(UnitId unit, OnAccess&& on_access, OnThread&& on_thread);

  const Forest& forest_;
  const InterEdges& edges_;
  OpenBlocks blocks_;
  std::vector<bool> joined_;
};

}  // namespace omnium::predict
