// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// davida: every transaction that has a violation, with a witness for every instance.
//
// Idea: only an open transaction can get a violation, and only along an increasing sequence of
// dependencies that starts in it. So each open transaction grows a tree of what it reaches, one
// node per thread; a dependency into it from an event that its tree has reached is an instance, and
// the branch is the witness.
//
//   T1: begin(inc)  r(x)        w(x)  end       r(x) -> w(x): the tree of inc reaches T2 at event 2
//   T2:                   w(x)                  w(x) -> w(x): an instance, from event 2 >= 2
//
// Cost: O(1) per event and per dependency O(trees that reach its source). Rules and proofs:
// docs/algorithms/davida.md.
//
// Reference: Ma, Ashraf, Chan: Davida: a decentralization approach to localizing transaction
// sequences for debugging transactional atomicity violations; algorithms 1 and 2.
#pragma once

#include <vector>

#include "engines/engine.h"
#include "finding/instance_reporter.h"
#include "order/dependencies.h"
#include "order/happens_before_forest.h"
#include "order/open_blocks.h"
#include "order/transaction_log.h"

namespace omnium {

class Davida final : public EngineBase<Davida> {
 public:
  static constexpr EngineInfo kInfo{
      .name = "davida",
      .serializable = Promise::kNoFalse,  // a cycle of violations only
      .transactions = Promise::kExact,
      .instances = Promise::kExact,
      .blocks = Promise::kNoFalse,  // those that contain the root of the witness
      .gives_cycle = true,
      .gives_window = false,
      .summary = "a happens-before tree per open transaction; every violation with a witness",
      .reference = "Ma, Ashraf, Chan: Davida",
  };

  explicit Davida(FindingSink& sink) : EngineBase(sink), reporter_(sink) {}

  void grow(const Extent& extent);
  void on_access(ThreadId t, VarId x, bool writes) {
    dependencies_.access(t, x, writes, now(), into(t));
  }
  void on_acquire(ThreadId t, LockId m);
  void on_release(ThreadId t, LockId m);
  void on_fork(ThreadId t, ThreadId child);
  void on_join(ThreadId t, ThreadId other);
  void on_begin(ThreadId t, LabelId label);
  void on_end(ThreadId t);
  void on_finish() {}

  std::vector<Counter> counters() const override;

 private:
  using Node = HappensBeforeForest::Node;

  // What DirectDependencies emits to. A source in a thread that no tree reaches concerns nobody.
  struct Into {
    Davida& engine;
    ThreadId sink;

    bool wants(Access source) const {
      if (engine.forest_.reached(source.thread())) return true;
      ++engine.skipped_;
      engine.forest_.skip(sink);
      return false;
    }
    void operator()(Access source, DependencyKind kind, std::uint32_t object) const {
      engine.process({source.thread(), source.index(), sink, engine.now(), kind, object});
    }
  };
  Into into(ThreadId v) { return {*this, v}; }
  void process(const Dependency& dependency);
  void report(const Dependency& closing, const Node& reached);
  void report_cycle(const std::vector<WitnessStep>& witness);
  std::vector<WitnessStep> witness(const Dependency& closing, const Node& reached);
  EventIndex root_event(ThreadId root, const Node& reached) const;

  DirectDependencies dependencies_;  // e_a -> e_b
  OpenBlocks<> blocks_;              // delta_t = blocks_.transaction(t)
  HappensBeforeForest forest_;       // HBT_t, M_t
  TransactionLog finished_;          // of threads that some tree reaches
  InstanceReporter reporter_;
  bool cycle_reported_ = false;
  std::uint64_t kept_ = 0;
  std::uint64_t skipped_ = 0;
  std::uint64_t instances_ = 0;
  std::uint64_t not_increasing_ = 0;
  std::uint64_t both_ = 0;
  std::uint64_t visited_ = 0;
};

}  // namespace omnium
