// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// reach: Omnium's own engine. One pass decides all three levels, with a witness for every
// violation.
//
// Idea: only an open transaction can close a cycle, so keep what each open transaction already
// reaches (ReachMatrix) and look at each direct dependency once. A dependency whose source no open
// transaction reaches is dead: one comparison, and nothing can ever come of it.
//
//   T1: begin(inc)  r(x)        w(x)  end       r(x) -> w(x): T1 reaches T2 at event 2
//   T2:                   w(x)                  w(x) -> w(x): from an event of T2 at 2 >= 2:
//   violation
//
// Cost O(nk + mk^2) worst case for n events, m transactions, k live threads; O(1) per event where
// dependencies are dead. Proof and rules: docs/algorithms/reach.md.
//
// Local times are event indices: any clock that grows along each thread will do, and this one makes
// every epoch name its event.
#pragma once

#include <vector>

#include "engines/engine.h"
#include "finding/instance_reporter.h"
#include "order/dependencies.h"
#include "order/open_blocks.h"
#include "order/reach_matrix.h"
#include "order/transaction_log.h"

namespace omnium {

class Reach final : public EngineBase<Reach> {
 public:
  static constexpr EngineInfo kInfo{
      .name = "reach",
      .serializable = Promise::kExact,
      .transactions = Promise::kExact,
      .instances = Promise::kExact,
      .blocks = Promise::kExact,
      .gives_cycle = false,
      .gives_window = true,
      .summary = "what each open transaction reaches; all three levels with witnesses",
      .reference = "docs/algorithms/reach.md",
  };

  explicit Reach(FindingSink& sink) : EngineBase(sink), reporter_(sink) {}

  void grow(const Extent& extent);
  void on_access(ThreadId t, VarId x, bool writes) {
    dependencies_.access(t, x, writes, now(), into(t));
  }
  void on_acquire(ThreadId t, LockId m);
  void on_release(ThreadId t, LockId m);
  void on_begin(ThreadId t, LabelId label);
  void on_end(ThreadId t);
  void on_fork(ThreadId t, ThreadId child);
  void on_join(ThreadId t, ThreadId other);
  void on_finish() {}

  bool takes_thinned() const override { return true; }
  std::vector<Counter> counters() const override;

 private:
  using Row = ReachMatrix::Row;
  struct Block : BlockRef {
    Row row = ReachMatrix::kNoRow;  // until the block's first live outgoing dependency
  };

  // What DirectDependencies emits to: rule 1, and for the few live dependencies the rest.
  struct Into {
    Reach& engine;
    ThreadId sink;

    bool wants(Access source) const {
      if (!engine.matrix_.dead(source.thread(), static_cast<ReachTime>(source.index())))
        return true;
      ++engine.dead_dependencies_;
      return false;
    }
    void operator()(Access source, DependencyKind kind, std::uint32_t object) const {
      ++engine.live_dependencies_;
      if (engine.matrix_.settled(source.thread(), sink, static_cast<ReachTime>(source.index())))
        return;
      engine.live({source.thread(), source.index(), sink, engine.now(), kind, object});
    }
  };
  Into into(ThreadId v) { return {*this, v}; }
  void live(const Dependency& dependency);
  void give_rows(ThreadId u, EventIndex source);
  void report_instance(const Dependency& closing);
  void report_cycle(const Dependency& closing, Row row);
  std::vector<WitnessStep> witness(const Dependency& closing, const Block& root) const;

  DirectDependencies dependencies_;  // last write, last reads, last release: epochs only
  OpenBlocks<Block> blocks_;         // start[t] = blocks_.transaction(t).begin
  ReachMatrix matrix_;               // event_reach, txn_reach
  TransactionLog finished_;          // of threads that some open transaction reaches
  InstanceReporter reporter_;
  bool cycle_reported_ = false;
  std::uint64_t dead_dependencies_ = 0;
  std::uint64_t live_dependencies_ = 0;
  std::uint64_t instances_ = 0;
  std::uint64_t cycle_edges_ = 0;
};

}  // namespace omnium
