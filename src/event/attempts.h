// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which parts of blocks have come to nothing so far: a failed attempt (`retry(x)`) may start afresh
// if nobody noticed what the part did before (docs/semantics.md#waiting-and-retrying). "Noticed"
// means that an event of another thread conflicted with an earlier event of the part, other than
// the part's atomic loads of x and its failed attempts on x.
//
// Only traces with failed attempts inside blocks pay for this.
#pragma once

#include <cstdint>
#include <vector>

#include "event/event.h"
#include "support/id.h"

namespace omnium {

class Attempts {
 public:
  void grow_to(const Extent& extent);

  // A part of a block of t begins: a block, or the rest of one after a cut. Or the block ends.
  void part_begins(ThreadId t);
  void block_ends(ThreadId t);

  // An event of the trace; before it the thread's part may have been begun. `locks_conflict`: with
  // --conflicts all.
  void event(const Event& event, bool locks_conflict);

  // Whether the part of t that is open came to nothing that anybody noticed, but for x.
  bool unnoticed(ThreadId t, VarId x) const;

 private:
  // What the open part of a thread did to an object; stale if that part is over.
  struct Use {
    ThreadId thread;
    std::uint64_t part;
    bool writes;         // a lock: gave back the exclusive side
    bool attempts_only;  // nothing but atomic loads and failed attempts
  };
  using Uses = std::vector<Use>;
  struct Thread {
    std::uint64_t part = 0;  // counts parts; 0: no block is open
    std::uint64_t parts = 0;
    bool noticed = false;    // by more than attempts on one variable
    VarId noticed_attempts;  // attempts on this variable were noticed; none: no attempts
    ThreadId forker;         // who forked it, until its first event
    std::uint64_t forker_part = 0;
  };

  void access(const Event& event);
  void give_back(Uses& uses, ThreadId t, bool exclusive);
  void take(Uses& uses, ThreadId t, bool exclusive);
  void notice(const Use& use, VarId x);
  void notice_fork(Thread& child);
  bool live(const Use& use) const { return threads_[use.thread].part == use.part; }
  Use& own_use(Uses& uses, ThreadId t);

  IdTable<ThreadId, Thread> threads_;
  IdTable<VarId, Uses> variables_;
  IdTable<LockId, Uses> locks_;
  IdTable<SignalId, Uses> signals_;
};

}  // namespace omnium
