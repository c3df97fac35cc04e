// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// velodrome: the graph of transactions that can still be on a cycle, checked at every edge.
//
// Idea: a node per transaction, an edge per dependency with the times of its two operations. An
// edge into an open transaction that already reaches its source closes a cycle: the trace is not
// serializable. If the times increase around the cycle, the transaction alone cannot be made
// contiguous and is blamed.
//
//   T1: begin(inc)  r(x)        w(x)  end       r(x) -> w(x): edge T1 -> T2
//   T2:                   w(x)                  w(x) -> w(x): T1 reaches T2, and 2 <= 2: blame inc
//
// Cost O(1) per event while transactions are short; memory is that of the live nodes. Rules, proofs
// and worst case: docs/algorithms/velodrome.md.
//
// Reference: Flanagan, Freund, Yi: Velodrome, PLDI 2008, figure 4.
#pragma once

#include <array>
#include <vector>

#include "engines/engine.h"
#include "finding/instance_reporter.h"
#include "order/last_reads.h"
#include "order/live_graph.h"
#include "order/open_blocks.h"
#include "order/step.h"

namespace omnium {

class Velodrome final : public EngineBase<Velodrome> {
 public:
  static constexpr EngineInfo kInfo{
      .name = "velodrome",
      .serializable = Promise::kExact,
      .transactions = Promise::kNoFalse,
      .instances = Promise::kNoFalse,
      .blocks = Promise::kNoFalse,
      .gives_cycle = true,
      .gives_window = false,
      .summary = "the graph of live transactions, checked at every edge; blames with a witness",
      .reference = "Flanagan, Freund, Yi: PLDI 2008",
  };

  // The rule [INS OUTSIDE] of figure 2, a node per event outside blocks: what merging saves.
  static constexpr EngineInfo kNoMergeInfo = [] {
    EngineInfo info = kInfo;
    info.name = "velodrome --no-merge";
    info.summary = "velodrome with a node per event outside blocks";
    return info;
  }();

  enum class Outside : std::uint8_t { kMerge, kNode };

  explicit Velodrome(FindingSink& sink, Outside outside = Outside::kMerge)
      : EngineBase(sink), outside_(outside), reporter_(sink) {}

  void grow(const Extent& extent);
  void on_read(ThreadId t, VarId x);
  void on_write(ThreadId t, VarId x);
  void on_acquire(ThreadId t, LockId m);
  void on_release(ThreadId t, LockId m);
  void on_begin(ThreadId t, LabelId label);
  void on_end(ThreadId t);
  void on_fork(ThreadId t, ThreadId child);
  void on_join(ThreadId t, ThreadId other);
  void on_finish() {}

  std::vector<Counter> counters() const override;

 private:
  using Slot = LiveGraph::Slot;
  using Path = std::vector<LiveGraph::Hop>;

  // Rules of figure 4; each one outside a block follows the one inside. Fork and join are ours.
  enum Rule : std::uint8_t {
    kInsideAcquire,
    kOutsideAcquire,
    kInsideRelease,
    kOutsideRelease,
    kInsideRead,
    kOutsideRead,
    kInsideWrite,
    kOutsideWrite,
    kInsideFork,
    kOutsideFork,
    kInsideJoin,
    kOutsideJoin,
    kEnter,
    kReEnter,
    kExit,
    kMergeBottom,
    kMergeReuse,
    kMergeFresh,
    kMergeCovered,
    kIncreasingCycle,
    kOtherCycle,
    kRuleCount,
  };

  // A transaction may look at this many edges to be blamed for the first time; after that, or once
  // it is blamed, at kSearchLimit edges per cycle.
  static constexpr std::uint64_t kSearchBudget = 10'000'000;
  static constexpr std::uint64_t kSearchLimit = 1'000;

  struct Thread {
    Step last;                 // L(t)
    Step forked;               // the fork of t
    Slot node = 0;             // of the open transaction; the stack C(t) is blocks_.of(t)
    bool started = false;      // t had an event
    std::uint64_t budget = 0;  // of the open transaction, for searches
  };
  // A live step of another thread that the current event depends on.
  struct Source {
    Step step;
    DependencyKind kind;
    std::uint32_t object;
  };

  // Each handler: what the event depends on, then settle() for the event's own step.
  void arrive(ThreadId t);
  void depend(ThreadId t, Step source, DependencyKind kind, std::uint32_t object);
  Step settle(ThreadId t, Rule inside);
  Step merge(ThreadId t);
  Step unary_node(ThreadId t);
  LiveGraph::Edge edge_from(const Source& source, Slot to) const;
  void add_program_order(Step last, Slot to);
  void close_cycle(ThreadId t, const Source& source);
  void report_cycle(const Source& source, const Path& path);
  std::vector<WitnessStep> witness(const Path& path, const Dependency& closing) const;

  Outside outside_;
  OpenBlocks<> blocks_;                 // C(t)
  IdTable<ThreadId, Thread> threads_;   // L(t)
  IdTable<LockId, Step> last_release_;  // U(m)
  LastReads last_reads_;                // R(x,t), since the last write
  IdTable<VarId, Step> last_write_;     // W(x)
  LiveGraph graph_;                     // H
  std::vector<Source> sources_;         // of the current event
  InstanceReporter reporter_;
  bool cycle_reported_ = false;
  std::array<std::uint64_t, kRuleCount> rules_{};
};

}  // namespace omnium
