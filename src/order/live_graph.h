// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The transaction graph of Velodrome, H: only nodes that can still be on a cycle, never a cycle
// itself.
//
// Edges go into open nodes and into nodes that are just being made, so a cycle can close at an open
// node only, and of the paper's ancestor sets the open ancestors are all that is ever asked for: a
// bit per open transaction and node. A finished node without open ancestors is one whose incoming
// edges are all gone, and is collected at once, as by the paper's reference counts
// (docs/algorithms/velodrome.md#collection).
//
// Every node belongs to one thread. It is a block or one unary event, its `transaction`, and may
// stand for later unary events of the thread too (those after `end`); edges enter at the
// transaction only.
#pragma once

#include <cstdint>
#include <vector>

#include "finding/finding.h"
#include "order/step.h"

namespace omnium {

class LiveGraph {
 public:
  using Slot = Step::Slot;

  struct Edge {
    Slot to;
    std::uint32_t object;
    DependencyKind kind;
    bool program_order;  // then kind and object mean nothing
    EventIndex source;
    EventIndex sink;
  };
  // A path: each edge leaves the node that the one before entered.
  struct Hop {
    Slot from;
    Edge edge;
  };

  bool alive(Step step) const {
    return !step.is_bottom() && nodes_[step.slot()].transaction.begin <= step.time();
  }
  ThreadId thread(Slot node) const { return nodes_[node].transaction.thread; }
  const BlockRef& transaction(Slot node) const { return nodes_[node].transaction; }
  // The transaction of a step: the node's own, or one of the unary events that were merged into it.
  BlockRef transaction_at(Slot node, EventIndex event) const;

  // An open node for a block; and a finished one for a unary event, which must get an edge at once
  // or be collected.
  Slot open(const BlockRef& block);
  Slot add_unary(const BlockRef& event);
  void collect(Slot node);
  // No edges enter the node any more. Collects all that became garbage.
  void close(Slot node, EventIndex end);

  // Is there a path from an open node?
  bool reaches(Slot open_node, Slot to) const {
    const std::uint32_t bit = nodes_[open_node].bit;
    return (ancestors_of(to)[bit / 64] >> (bit % 64) & 1) != 0;
  }
  // Every open node that reaches `a`, or is `a`, reaches `b`.
  bool covered(Slot a, Slot b) const;

  // An edge that closes no cycle. An edge into an open node replaces the earlier one of the same
  // pair.
  void add_edge(Slot from, const Edge& edge);

  // A path from an open node into the node of `goal`: a shortest; and one where each edge leaves no
  // earlier than the one before arrived, the last one arriving at goal.time() or before, which
  // leaves the open node as late as possible. Empty: there is none, or the search gave up after
  // `limit` edges.
  std::vector<Hop> path(Slot open_node, Slot goal);
  std::vector<Hop> increasing_path(Slot open_node, Step goal, std::uint64_t limit);

  struct Counts {
    std::uint64_t nodes = 0;  // made
    std::uint64_t collected = 0;
    std::uint64_t most_alive = 0;
    std::uint64_t edges = 0;  // added
    std::uint64_t kept = 0;   // of these, dependencies between threads
    std::uint64_t replaced = 0;
    std::uint64_t visited = 0;   // nodes, to find paths
    std::uint64_t searched = 0;  // edges looked at to find paths
    std::uint64_t given_up = 0;  // searches
  };
  const Counts& counts() const { return counts_; }

 private:
  static constexpr std::uint32_t kNoBit = ~std::uint32_t{0};

  // An edge as its sink knows it. Means nothing any more if there is no edge to the sink at this
  // place.
  struct EdgeRef {
    Slot from;
    std::uint32_t position;
  };
  struct Node {
    BlockRef transaction;        // begin = kNoEvent: the slot is free
    EventIndex end = kNoEvent;   // of the transaction; kNoEvent while it is open
    std::uint32_t bit = kNoBit;  // while open
    std::vector<Edge> successors;
    std::vector<EdgeRef> predecessors;
  };
  // Where the edges into one open node are, as a small hash table over the source's slot.
  class Incoming {
   public:
    // Position in the source's successors; a new entry has the position kNew.
    std::uint32_t& position(Slot from);
    void clear();
    static constexpr std::uint32_t kNew = ~std::uint32_t{0};

   private:
    struct Entry {
      Slot from = ~Slot{0};
      std::uint32_t position = kNew;
    };
    std::vector<Entry> entries_;
    std::size_t used_ = 0;
  };

  std::uint64_t* ancestors_of(Slot node) { return ancestors_.data() + std::size_t{node} * words_; }
  const std::uint64_t* ancestors_of(Slot node) const {
    return ancestors_.data() + std::size_t{node} * words_;
  }
  Slot new_node(const BlockRef& transaction);
  std::uint32_t new_bit();
  void widen();
  void spread(Slot from, Slot to);
  bool add_ancestors(const std::uint64_t* more, Slot node);
  const Edge* edge_at(EdgeRef ref, Slot to) const {
    const auto& edges = nodes_[ref.from].successors;
    const bool there = ref.position < edges.size() && edges[ref.position].to == to;
    return there ? &edges[ref.position] : nullptr;
  }

  // Searches go backwards: from a node on, `edge` leads towards the goal and leaves at `deadline`.
  struct Visit {
    EventIndex deadline = 0;   // 0: not visited
    std::uint32_t edge = 0;    // in the node's successors
    std::uint64_t search = 0;  // which search this belongs to
  };
  void start_search();
  std::vector<Hop> found_path(Slot open_node, Slot goal);
  Visit& visit(Slot node);

  std::vector<Node> nodes_;
  std::vector<Slot> free_nodes_;
  std::vector<std::uint64_t>
      ancestors_;  // words_ per node: open ancestors, an open node itself included
  std::size_t words_ = 1;
  std::vector<std::uint32_t> free_bits_;
  std::uint32_t bits_ = 0;
  std::vector<Incoming> incoming_;  // by bit
  std::vector<Slot> work_;
  std::vector<std::uint64_t> news_;
  std::vector<Visit> visits_;
  std::uint64_t search_ = 0;
  Counts counts_;
};

}  // namespace omnium
