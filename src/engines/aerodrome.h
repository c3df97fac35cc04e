// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// aerodrome: the AeroDrome algorithm with one pair of read clocks per variable, clocks of bits, and
// update sets. The same answers as aerodrome-basic.
//
// Idea: a component of a vector clock is only ever compared with the begin of a transaction that is
// open, so one bit per open transaction ("knows its begin") is all that a clock needs. A clock that
// learns of an open transaction joins the update set of that transaction; when it ends, only these
// clocks are visited: they learn what the transaction learned and forget the transaction itself.
//
//   T1: begin  w(x)              r(y)      W_x = {T1}; r(y): W_y knows T1, still open: a cycle
//   T2:              r(x)  w(y)            C_2 = {T1}, W_y = {T1}
//
// Cost, as long as at most 64 transactions are open at a time: O(1) per event, plus one step when a
// clock learns of an open transaction and one when that transaction ends. So an end costs what the
// transaction and those after it touched. Memory: a bit, and in the worst case an entry of an
// update set, per clock and open transaction. Proofs that each step is still exact, and the worst
// case: docs/algorithms/aerodrome.md.
// Reference: Mathur, Viswanathan: Atomicity Checking in Linear Time using Vector Clocks,
// ASPLOS 2020.
#pragma once

#include <vector>

#include "engines/aerodrome_counts.h"
#include "engines/engine.h"
#include "order/open_blocks.h"
#include "order/open_slots.h"
#include "support/id.h"

namespace omnium {

class Aerodrome final : public EngineBase<Aerodrome> {
 public:
  static constexpr EngineInfo kInfo{
      .name = "aerodrome",
      .serializable = Promise::kExact,
      .transactions = Promise::kNothing,
      .instances = Promise::kNothing,
      .blocks = Promise::kNothing,
      .gives_cycle = false,
      .gives_window = false,
      .summary = "clocks of open transactions, updated only where an ending one was seen",
      .reference = "Mathur, Viswanathan: ASPLOS 2020, section 4.3",
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
  enum class ClockKind : std::uint32_t { kThread, kLock, kWrite, kRead };  // kRead: R_x with chR_x
  struct ClockRef {
    ClockKind kind;
    std::uint32_t index;
  };
  struct Thread {
    // Of the open transaction. A clock has this bit iff C_t^begin is before it.
    Slot slot = kNoSlot;
    ThreadId forked_by;
    bool acted = false;
  };
  enum Column : std::size_t { kWritten, kRead, kReadByOther, kColumns };

  SlotWord* thread_clock(ThreadId t) { return thread_clocks_.set(t.v); }
  SlotWord* clock_of(VarId x, Column column) { return variable_clocks_.set(x.v, column); }
  void learn(SlotWord* clock, const SlotWord* source, ClockRef ref);
  void check_and_get(const SlotWord* check, const SlotWord* clock, ThreadId t, EventIndex at);
  void widen();
  void end_transaction(ThreadId t, EventIndex at);
  void pass_on(ClockRef ref, Slot ended, EventIndex at);
  void violation(EventIndex at);

  std::size_t words_ = 1;                    // per clock
  SlotRows<1> thread_clocks_;                // C_t
  SlotRows<1> lock_clocks_;                  // L_l
  SlotRows<kColumns> variable_clocks_;       // W_x, R_x, chR_x
  IdTable<LockId, ThreadId> last_release_;   // lastRelThr_l
  IdTable<VarId, ThreadId> last_writer_;     // lastWThr_x
  std::vector<std::vector<ClockRef>> know_;  // update sets: by slot, all clocks with its bit
  IdTable<ThreadId, Thread> threads_;
  OpenSlots slots_;
  OpenBlocks<> blocks_;
  std::vector<SlotWord> passed_on_;  // what an ending transaction knows, without itself
  bool violated_ = false;            // the verdict is final: later events change nothing
  AerodromeCounts counts_;
  std::uint64_t learned_ = 0, widened_ = 0, most_updates_ = 0;
};

}  // namespace omnium
