// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What the runtime knows of a thread. Written by the thread itself unless a comment says otherwise.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/state/code.h"
#include "runtime/state/epoch.h"
#include "runtime/state/history.h"
#include "runtime/state/owner.h"
#include "runtime/state/quick.h"
#include "runtime/state/thread_log.h"
#include "wire/inlined.h"
#include "wire/protocol.h"

namespace omnium::runtime {

inline constexpr std::uint32_t kMaxThreads = wire::kMaxThreads;
inline constexpr std::uint32_t kMaxDepth =
    128;  // deeper blocks count as part of the one around them
inline constexpr std::uint32_t kMaxMarks = 1024;

struct ReachRow;  // online/reach.h

struct OpenBlock {
  std::atomic<std::uint64_t> begin;  // full time
  const char* name;                  // null: a function
  Pc function, pc;
  bool refuted;   // reported already
  bool doubtful;  // an exception may have left it without its end being seen
};

// A begin whose end has not come: of an atomic block or of one that the specification excludes.
struct Mark {
  Pc function;  // 0: an annotation or a critical section
  const void* frame;
  bool atomic;
};

// What an access has to know of its thread: it may simply be marked if nothing but kDirty is set.
enum State : std::uint32_t {
  kInside = 1,     // in the runtime: events are dropped
  kMarking = 2,    // in the few instructions that change a cell (online/marking.h)
  kIdle = 4,       // neither in a transaction nor reached from an open one: no access matters
  kBlind = 8,      // nobody looks at its accesses
  kHasLog = 16,    // it is recorded
  kDirty = 32,     // somebody may have seen the current time
  kUnplaced = 64,  // a block began: what comes next has a time stamp
};

enum class Transaction : std::uint32_t { kClosed, kOpen, kOpenWithRows };
enum class Life : std::uint32_t { kFree, kForked, kRunning, kFinished, kGone };

// Remembers to which set a reader led: (readers before, epoch) -> readers after.
struct ReaderCache {
  struct Line {
    std::uint32_t before, epoch, after;
  } lines[64];
};

class FindingMessage;  // online/finding_message.h
struct PendingFinding {
  FindingMessage* message;  // null: none
  std::uint32_t number;
  std::uint32_t depth;  // of the block that must end
  bool increasing;
  std::uint64_t until;  // entries of the history
};

struct alignas(64) ThreadState {
  // What every access looks at.
  Quick quick;
  std::uint64_t now_field;  // all four bytes at `now`
  Epoch now;                // now[t]
  Owner chunk_owner;        // of the chunks that are its own
  record::ThreadLog* log;   // null: nothing is recorded
  std::atomic<std::uint32_t> state = kInside;
  bool advanced;  // time has advanced for the current event already
  History history;
  std::uint64_t base;  // of its slot
  std::uint32_t slot;  // the current one
  wire::ThreadCounters* counters;

  std::uint32_t muted;    // there is no room for the thread
  std::uint32_t ignored;  // the program asked not to look at its accesses

  // The cells that it has locked or is about to lock: after a fork the child must unlock them.
  std::atomic<std::uint64_t>* locked;
  std::uint32_t locked_count;

  // The open transaction. Other threads look at these under the lock of the reach engine.
  std::atomic<Transaction> transaction;  // CAS to kOpenWithRows under the lock
  std::atomic<std::uint64_t> start;      // start[t], full time; of a unary event its own
  std::atomic<std::uint32_t> depth;      // entries of `blocks` in use
  std::uint32_t marks_used;              // may exceed kMaxMarks: those are only counted
  std::uint32_t call_depth;              // of instrumented functions, where all of them are blocks
  std::uint32_t locks_held;              // where critical sections are blocks
  OpenBlock blocks[kMaxDepth];
  Mark marks[kMaxMarks];

  // Under the lock of the reach engine.
  std::uint64_t reached_at;   // min over other open transactions w of txn_reach[w][t]
  ReachRow* rows[kMaxDepth];  // of open blocks with a live dependency that left them
  std::uint32_t row_count;    // entries of `rows` that may be set
  PendingFinding pending;

  // Identity.
  std::uint32_t index;   // column in the reach matrix
  std::uint32_t number;  // in the order of creation
  std::uint32_t first_slot_of_transaction;
  Life life;      // under the registry's lock, and so is
  bool detached;  // nobody will join it
  ThreadState* parent;
  std::uint64_t fork_time;  // of the parent
  Pc start_function, fork_pc;
  std::uintptr_t stack_begin, stack_end;
  char name[32];

  ReaderCache readers;
  std::uint32_t dead_before[kSlots];  // times of the slots, as far as it knows; see is_live
  record::ThreadEnd end;              // for the join

  std::uint64_t time() const { return base + time_of(now); }
  bool is_dirty() const { return (state.load(std::memory_order_relaxed) & kDirty) != 0; }
  bool is_idle() const { return (state.load(std::memory_order_relaxed) & kIdle) != 0; }

  // By the thread itself: in one instruction, so that no signal handler comes in between.
  void set_state(std::uint32_t bit, bool on) {
    if (on) {
      __asm__ volatile("orl %1, %0" : "+m"(state) : "ir"(bit) : "memory", "cc");
    } else {
      __asm__ volatile("andl %1, %0" : "+m"(state) : "ir"(~bit) : "memory", "cc");
    }
  }
};

// Stands for a thread that is not known (yet): it is always inside, so that its events are dropped.
extern ThreadState nobody;

extern constinit thread_local ThreadState* tls_thread __asm__(OMNIUM_INLINED_THREAD)
    __attribute__((tls_model("initial-exec"), visibility("default")));

// Is the epoch live? Other threads write often where the answer lies. But what is dead stays dead,
// and so does what is older in its slot: a thread remembers that until the slot is given to another
// (scrub.h).
inline bool is_live(ThreadState& thread, Epoch epoch) {
  const std::atomic_ref dead_before(thread.dead_before[slot_of(epoch)]);
  const std::uint32_t time = time_of(epoch);
  if (time < dead_before.load(std::memory_order_relaxed)) return false;
  if (is_live(epoch)) return true;
  dead_before.store(time + 1, std::memory_order_relaxed);
  return false;
}

// Can nothing come of a dependency on the epoch? The thread's own may also be one of an older slot.
inline bool is_own_or_dead(ThreadState& thread, Epoch epoch) {
  return slot_of(epoch) == thread.slot || epoch == 0 || !is_live(thread, epoch);
}

// While an event is handled. Converts to false if the event is to be dropped.
class Inside {
 public:
  Inside()
      : thread_(*tls_thread),
        entered_((thread_.state.load(std::memory_order_relaxed) & (kInside | kMarking)) == 0) {
    if (!entered_) return;
    thread_.set_state(kInside, true);
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  ~Inside() {
    if (entered_) thread_.set_state(kInside, false);
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

  explicit operator bool() const { return entered_ && thread_.muted == 0; }
  ThreadState& thread() const { return thread_; }

 private:
  ThreadState& thread_;
  bool entered_;
};

inline void update_blind(ThreadState& thread) {
  thread.set_state(kBlind, thread.muted != 0 || thread.ignored != 0);
}

// Gives the last event of the history a place among those of other threads.
inline void place_last(ThreadState& thread) {
  thread.set_state(kUnplaced, false);
  thread.history.stamp_last();
}

// Adds an event that has a place of its own.
inline void add_placed(ThreadState& thread, wire::EntryKind kind, std::uint64_t object,
                       unsigned size, Pc pc) {
  thread.set_state(kUnplaced, false);
  thread.history.add_stamped(kind, object, size, pc);
}

// All threads ------------------------------------------------------------------------------------

void map_threads();
ThreadState& thread_at(std::uint32_t index);
std::uint32_t thread_count();  // indices ever used

void lock_registry();
void unlock_registry();
// Under the lock: a state that nobody uses, with an index and a new number; null if there are too
// many threads.
ThreadState* take_state();

}  // namespace omnium::runtime
