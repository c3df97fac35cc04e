// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// conflict-graph: the classic algorithm. Build the whole transaction graph, look for a cycle once,
// at the end. Time O(n k), memory O(n): the yardstick for all others, not a way to check long
// traces.
#pragma once

#include "engines/engine.h"
#include "order/transaction_graph.h"

namespace omnium {

class ConflictGraph final : public EngineBase<ConflictGraph> {
 public:
  static constexpr EngineInfo kInfo{
      .name = "conflict-graph",
      .serializable = Promise::kExact,
      .transactions = Promise::kNothing,
      .instances = Promise::kNothing,
      .blocks = Promise::kNothing,
      .gives_cycle = true,
      .gives_window = false,
      .summary = "the whole graph, one cycle check at the end",
      .reference = "Farzan, Madhusudan: CAV 2008, section 2",
  };

  // The graph as it is defined, with an edge per conflict [Farzan, Madhusudan table 1].
  static constexpr EngineInfo kAllEdgesInfo = [] {
    EngineInfo info = kInfo;
    info.name = "conflict-graph --all-edges";
    info.summary = "conflict-graph with an edge per pair of conflicting transactions";
    return info;
  }();

  explicit ConflictGraph(FindingSink& sink,
                         TransactionGraph::Edges edges = TransactionGraph::Edges::kDirect)
      : EngineBase(sink), graph_(edges) {}

  void grow(const Extent& extent) { graph_.grow(extent); }
  void on_read(ThreadId t, VarId x) { at_now().on_read(t, x); }
  void on_write(ThreadId t, VarId x) { at_now().on_write(t, x); }
  void on_acquire(ThreadId t, LockId m) { at_now().on_acquire(t, m); }
  void on_release(ThreadId t, LockId m) { at_now().on_release(t, m); }
  void on_begin(ThreadId t, LabelId label) { at_now().on_begin(t, label); }
  void on_end(ThreadId t) { at_now().on_end(t); }
  void on_fork(ThreadId t, ThreadId child) { at_now().on_fork(t, child); }
  void on_join(ThreadId t, ThreadId other) { at_now().on_join(t, other); }
  void on_finish();

  std::vector<Counter> counters() const override {
    return {{"transactions", graph_.nodes(), Measure::kNodes},
            {"nodes", graph_.nodes(), Measure::kMade},
            {"edges", graph_.edges(), Measure::kEdges}};
  }

 private:
  TransactionGraph& at_now() {
    graph_.at(now());
    return graph_;
  }

  TransactionGraph graph_;
};

}  // namespace omnium
