// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// summary-graph: the summarized conflict graph, a node per open transaction and nothing else.
//
// Idea: an ended transaction can still be on a cycle, but only through an open one that reaches it.
// So it is removed, its predecessors are connected to its successors, and each predecessor
// remembers its actions: a later event that conflicts with a remembered action comes after that
// predecessor. A cycle shows as a self-loop, at the latest when its last transaction ends.
//
//   T1: begin  r(x)                        w(x)    C(T1) has w(x): a self-loop
//   T2:              begin  w(x)  end              edge T1 -> T2; at the end C(T1) takes w(x) over
//
// S and C are kept the other way round: each action has the set of nodes that have it in S and in
// C, as bits, so a conflict is found by reading two words. Each node lists its actions for its end.
//
// Cost: O(1) per event as long as at most 64 transactions are open, an end costs the actions of the
// ended transaction and of those it reached. Memory O(k^2 + k n) bits and lists for k open
// transactions and n variables, locks and active threads, whatever the length of the trace. Proofs:
// docs/algorithms/summary-graph.md.
// Reference: Farzan, Madhusudan: Monitoring Atomicity in Concurrent Programs, CAV 2008.
#pragma once

#include <initializer_list>
#include <vector>

#include "engines/engine.h"
#include "order/open_blocks.h"
#include "order/open_slots.h"
#include "support/id.h"

namespace omnium {

class SummaryGraph final : public EngineBase<SummaryGraph> {
 public:
  static constexpr EngineInfo kInfo{
      .name = "summary-graph",
      .serializable = Promise::kExact,
      .transactions = Promise::kNothing,
      .instances = Promise::kNothing,
      .blocks = Promise::kNothing,
      .gives_cycle = false,
      .gives_window = false,
      .summary = "a graph of the open transactions, which remember what ended after them",
      .reference = "Farzan, Madhusudan: CAV 2008, section 3",
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

  std::vector<Counter> counters() const override;

 private:
  // kThread is what a thread's own events and its fork conflict with: "an event of T", whatever it
  // did.
  // kEnded: the same of threads that were joined, of which the same nodes have "an event of T".
  enum class ActionKind : std::uint32_t { kRead, kWrite, kLock, kThread, kEnded };
  struct Action {
    ActionKind kind;
    std::uint32_t index;
  };
  struct Counts {
    std::uint64_t begins = 0, ends = 0, scheduled = 0, unary = 0, unary_idle = 0;
    std::uint64_t forks = 0, joins = 0, edges_added = 0, self_loops = 0, handed_over = 0;
    std::uint64_t closed_at_finish = 0, widened = 0, forgotten = 0;
    std::uint64_t edges = 0, most_edges = 0, entries = 0, most_entries = 0;
  };

  // Threads that were joined, as one action. A group that no node has any more is used again.
  struct GroupRef {
    std::uint32_t index = kNoGroup;  // of groups_
    std::uint32_t generation = 0;    // less than that of the group: nothing precedes the thread
  };
  static constexpr std::uint32_t kNoGroup = ~std::uint32_t{0};

  // The nodes that have the action in S; those that have it in C follow at conflicting(action).
  SlotWord* scheduled(Action action);
  SlotWord* conflicting(Action action) { return scheduled(action) + words_; }

  void event(ThreadId t, std::initializer_list<Action> dependent,
             std::initializer_list<Action> own);
  void event_in_block(Slot node, std::initializer_list<Action> own);
  void unary_event(ThreadId t, std::initializer_list<Action> own);
  void collect(Action dependent, Slot node);
  void list(Action action, const SlotWord* nodes);
  void remember(Action action);
  void forget(Action action, Slot node);
  bool nothing_before() const;
  void connect(Slot node);
  void end_transaction(ThreadId t, EventIndex at);
  void bypass(Slot ended, EventIndex at);
  void widen();
  void self_loop(EventIndex at);
  Action events_of(ThreadId u);
  void forget_thread(ThreadId u);
  std::uint32_t group_like(const SlotWord* row);
  void drop_stale(Slot node);
  void free_groups(Slot ended);

  std::size_t words_ = 1;                     // per set of nodes
  SlotRows<4> variables_;                     // S and C of r(x), S and C of w(x)
  SlotRows<2> locks_;                         // S and C of acq(l), rel(l)
  SlotRows<2> threads_;                       // S of fork(u), C of fork(u) and of events of u
  SlotRows<2> groups_;                        // likewise, of threads that were joined; 0: empty
  IdTable<ThreadId, GroupRef> group_of_;      // kNoGroup while a thread is active
  std::vector<std::uint32_t> generations_ = {0};  // of groups
  std::vector<std::uint32_t> live_groups_, free_groups_;
  SlotRows<1> predecessors_, successors_;     // E, by node
  std::vector<std::vector<Action>> actions_;  // S(v) and C(v) together, by node, each action once
  std::vector<std::size_t> stale_;            // by node: how many of these it has no more
  IdTable<ThreadId, Slot> node_of_;           // v_i, kNoSlot outside blocks
  OpenSlots slots_;
  OpenBlocks<> blocks_;
  std::vector<SlotWord> before_;  // nodes that precede the event, or the transaction that ends
  bool violated_ = false;         // the verdict is final: later events change nothing
  Counts counts_;
};

}  // namespace omnium
