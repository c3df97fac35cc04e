// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The whole transaction graph of a stretch of a trace: one node per transaction, an edge per direct
// dependency and per program-order step. Reachability is that of the graph in docs/semantics.md,
// since every conflict is a path of direct dependencies and program order. Memory grows with the
// stretch. Edges::kAll has the other conflicts, too, as the definition does.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <unordered_set>
#include <vector>

#include "event/event.h"
#include "finding/finding.h"
#include "order/dependencies.h"
#include "order/open_blocks.h"

namespace omnium {

class TransactionGraph {
 public:
  using Node = std::uint32_t;
  enum class Edges : std::uint8_t {
    kDirect,  // per direct dependency and per program-order step
    kAll,     // per pair of transactions with conflicting events: as many as the square of these
  };

  explicit TransactionGraph(Edges edges = Edges::kDirect) : edges_(edges) {}

  void grow(const Extent& extent);

  void on_read(ThreadId t, VarId x) {
    access([&](auto e) { deps_.read(t, x, now_, e); }, t);
    if (edges_ == Edges::kAll) conflicts(t, {&writers_[x]}, &readers_[x]);
  }
  void on_write(ThreadId t, VarId x) {
    access([&](auto e) { deps_.write(t, x, now_, e); }, t);
    if (edges_ == Edges::kAll) conflicts(t, {&readers_[x], &writers_[x]}, &writers_[x]);
  }
  void on_acquire(ThreadId t, LockId m) {
    access([&](auto e) { deps_.acquire(t, m, now_, e); }, t);
    if (edges_ == Edges::kAll) conflicts(t, {&releasers_[m]}, nullptr);
  }
  void on_release(ThreadId t, LockId m) {
    access([&](auto e) { deps_.release(t, m, now_, e); }, t);
    if (edges_ == Edges::kAll) conflicts(t, {}, &releasers_[m]);
  }
  void on_fork(ThreadId t, ThreadId u) {
    access([&](auto e) { deps_.fork(t, u, now_, e); }, t);
    if (edges_ == Edges::kAll) conflicts(t, {}, &forkers_[u]);
  }
  void on_join(ThreadId t, ThreadId u) {
    access([&](auto e) { deps_.join(t, u, now_, e); }, t);
    if (edges_ == Edges::kAll) conflicts(t, {&forkers_[u], &of_thread_[u]}, nullptr);
  }
  void on_begin(ThreadId t, LabelId label);
  // An end whose begin lies before the stretch is ignored.
  void on_end(ThreadId t);

  // The handlers that follow belong to this event.
  void at(EventIndex index) { now_ = index; }

  std::uint64_t nodes() const { return nodes_.size(); }
  std::uint64_t edges() const { return edge_count_; }

  // A shortest cycle through the transaction of event `event` of t; empty if there is none.
  std::vector<BlockRef> cycle_through(ThreadId t, EventIndex event) const;
  // Some short cycle of the graph, with the event whose dependency closed it; none if it is
  // acyclic.
  struct FoundCycle {
    EventIndex closed_at;
    std::vector<BlockRef> transactions;
  };
  std::optional<FoundCycle> find_cycle() const;

 private:
  struct Edge {
    Node to;
    EventIndex sink;
  };
  struct Transaction {
    BlockRef block;
    std::vector<Edge> successors;
  };

  template <class Feed>
  void access(Feed&& feed, ThreadId t) {
    const Node node = node_at_now(t);
    feed([&](Access source, DependencyKind, std::uint32_t) {
      add_edge(node_of(source.thread(), source.index()), node);
    });
  }
  Node node_at_now(ThreadId t);
  Node node_of(ThreadId t, EventIndex event) const;
  void add_edge(Node from, Node to);
  void conflicts(ThreadId t, std::initializer_list<const std::vector<Node>*> before,
                 std::vector<Node>* own);
  // Numbers of strongly connected components, per node; equal numbers reach each other.
  std::vector<std::uint32_t> components() const;
  std::vector<Node> shortest_cycle(Node start) const;
  EventIndex closed_at(const std::vector<Node>& cycle) const;
  std::vector<BlockRef> blocks_of(const std::vector<Node>& cycle) const;

  EventIndex now_ = 0;
  DirectDependencies deps_;
  OpenBlocks<> blocks_;
  std::vector<Transaction> nodes_;
  IdTable<ThreadId, std::vector<Node>> of_thread_;  // in program order
  std::uint64_t edge_count_ = 0;

  // For Edges::kAll only: which transactions had such an event, in order.
  Edges edges_;
  IdTable<VarId, std::vector<Node>> readers_, writers_;
  IdTable<LockId, std::vector<Node>> releasers_;
  IdTable<ThreadId, std::vector<Node>> forkers_;
  std::unordered_set<std::uint64_t> pairs_;  // that have an edge
};

}  // namespace omnium
