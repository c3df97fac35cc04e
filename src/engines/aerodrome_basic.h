// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// aerodrome-basic: Algorithm 1 of the AeroDrome paper, line by line.
//
// Idea: a vector clock per thread, lock, writer and reader tells which transactions come before an
// event. If the begin of an open transaction comes before an event that its own thread now depends
// on, there is a cycle. What a transaction learns late is passed on when it ends to every clock
// that knows its begin.
//
//   T1: begin  w(x)              r(y)      C = <2,0>; r(y): C_begin = <2,0> is before W_y: a cycle
//   T2:              r(x)  w(y)            W_y = <2,1>
//
// Cost for k threads: O(k) per event, O(k^2) per write, O(k (k + locks + k variables)) per end of a
// transaction, and memory as for an end. The yardstick for `aerodrome`, not a way to check long
// traces. Rules and differences: docs/algorithms/aerodrome-basic.md.
// Reference: Mathur, Viswanathan: Atomicity Checking in Linear Time using Vector Clocks,
// ASPLOS 2020.
#pragma once

#include <vector>

#include "engines/aerodrome_counts.h"
#include "engines/engine.h"
#include "order/open_blocks.h"
#include "order/vector_clock.h"
#include "support/id.h"

namespace omnium {

class AerodromeBasic final : public EngineBase<AerodromeBasic> {
 public:
  static constexpr EngineInfo kInfo{
      .name = "aerodrome-basic",
      .serializable = Promise::kExact,
      .transactions = Promise::kNothing,
      .instances = Promise::kNothing,
      .blocks = Promise::kNothing,
      .gives_cycle = false,
      .gives_window = false,
      .summary = "vector clocks, Algorithm 1 as published",
      .reference = "Mathur, Viswanathan: ASPLOS 2020, Algorithm 1",
  };

  using EngineBase::EngineBase;

  void grow(const Extent& extent);
  void on_read(ThreadId t, VarId x);
  void on_write(ThreadId t, VarId x);
  void on_acquire(ThreadId t, LockId l);
  void on_release(ThreadId t, LockId l);
  void on_begin(ThreadId t, LabelId label);
  void on_end(ThreadId t);
  void on_fork(ThreadId t, ThreadId u);
  void on_join(ThreadId t, ThreadId u);
  void on_finish();

  std::vector<Counter> counters() const override { return counts_.counters(); }

 private:
  struct Thread {
    VectorClock clock;   // C_t
    VectorClock begin;   // C_t^begin; of the open transaction
    ThreadId forked_by;  // not in the paper: see on_join
    bool acted = false;  // likewise
  };
  struct Lock {
    VectorClock released;   // L_l
    ThreadId last_release;  // lastRelThr_l
  };
  struct Variable {
    VectorClock written;            // W_x
    std::vector<VectorClock> read;  // R_{t,x}, by thread; threads beyond its size have not read
    ThreadId last_writer;           // lastWThr_x
  };

  void check_and_get(const VectorClock& clock, ThreadId t, EventIndex at);
  void end_transaction(ThreadId t, EventIndex at);
  // Lines 42, 44 and 46; true if `clock` knew the transaction's begin.
  static bool raise(VectorClock& clock, const Thread& ended);

  IdTable<ThreadId, Thread> threads_;
  IdTable<LockId, Lock> locks_;
  IdTable<VarId, Variable> variables_;
  OpenBlocks<> blocks_;
  bool violated_ = false;  // the verdict is final: later events change nothing
  AerodromeCounts counts_;
};

}  // namespace omnium
