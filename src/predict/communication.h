// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Communication nodes of a unit: the nodes with an inter-edge. Commit nodes: communication nodes
// that contain no other one [Wang, Stoller 3.3; the paper words it in two ways].
#pragma once

#include <vector>

#include "event/check_mode.h"
#include "predict/inter_edges.h"

namespace omnium::predict {

// The units of a thread that a communication node is joined to: the first one that it may be left
// to, and the last one that it may be entered from.
struct ThreadPartner {
  static constexpr Position kNever = ~Position{0};
  ThreadId thread;
  Position leave_to = kNever;
  Position enter_from = kNever;
  UnitId first;  // none: the thread itself, by fork, join or signal
  UnitId last;

  bool can_leave() const { return leave_to != kNever; }
  bool can_enter() const { return enter_from != kNever; }
};

struct CommunicationNode {
  NodeIndex token;
  NodeIndex close;
  std::vector<ThreadPartner> partners;  // by thread; empty unless asked for

  bool can_leave() const;
};

// Finds them for one unit after the other; the scratch space is kept.
class Communication {
 public:
  Communication(const Forest& forest, const InterEdges& edges, Waits waits)
      : forest_(forest), edges_(edges), splits_(waits == Waits::kSplit) {}

  // Communication nodes in order.
  std::vector<CommunicationNode> nodes(UnitId unit);
  // Indices into `nodes` of those that contain no other.
  static std::vector<std::size_t> commit_nodes(const std::vector<CommunicationNode>& nodes);
  // Adds the partners. Costs more than finding the nodes.
  void find_partners(UnitId unit, std::vector<CommunicationNode>& nodes);
  // Tokens where a new part of the unit begins in every interleaving, in order. `nodes` are those
  // of the unit that was asked for last.
  std::vector<NodeIndex> cuts(UnitId unit) const;

 private:
  template <class OnAccess, class OnLeaf>
  void walk(UnitId unit, OnAccess&& on_access, OnLeaf&& on_leaf);
  bool joins(const Unit& unit, const Token& leaf) const;
  void add_leaf_partners(const Unit& unit, const Token& leaf, CommunicationNode& node) const;

  const Forest& forest_;
  const InterEdges& edges_;
  bool splits_;
  OpenBlocks blocks_;
  std::vector<bool> joined_;   // per token: it is a communication node
  std::vector<bool> noticed_;  // per token: others may depend on it
};

}  // namespace omnium::predict
