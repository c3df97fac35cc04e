// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What the runtime knows of a thread. Each field is written by the thread itself unless a comment
// says otherwise.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/state/attempts.h"
#include "runtime/state/call_sites.h"
#include "runtime/state/code.h"
#include "runtime/state/epoch.h"
#include "runtime/state/held_locks.h"
#include "runtime/state/history.h"
#include "runtime/state/known_sources.h"
#include "runtime/state/owner.h"
#include "runtime/state/quick.h"
#include "runtime/state/sampling.h"
#include "runtime/state/signals.h"
#include "runtime/state/thread_log.h"
#include "runtime/state/txns.h"
#include "wire/inlined.h"
#include "wire/protocol.h"

namespace omnium::runtime {

inline constexpr std::uint32_t kMaxThreads = wire::kMaxThreads;
// Blocks that are nested deeper count as part of the block around them.
inline constexpr std::uint32_t kMaxDepth = 128;
inline constexpr std::uint32_t kMaxMarks = 1 << 18;

class AtomicCell;       // shadow/cell.h
class AtomicOperation;  // events/access.h
class ReachRow;         // online/reach_row.h

struct OpenBlock {
  std::atomic<std::uint64_t> begin;  // full time
  const char* name;                  // null: a function
  Pc function, pc;
  Pc waited_pc;   // where its open part began, if that is not the first one; else 0
  bool refuted;   // a finding about its open part exists already
  bool doubtful;  // an exception may have left it without the runtime seeing its end
  bool at_risk;   // it may turn out to be no block (Mark)
};

// A begin without its end so far, of an atomic block or of one that the specification excludes.
struct Mark {
  enum class Kind : std::uint8_t {
    kAnnotation,
    kInCoroutine,  // an annotation in a coroutine: the block ends where the coroutine suspends
    kInObject,     // an annotation whose scope is not on the stack: only its end ends it
    kFunction,
    kSection,  // a critical section: only the last unlock ends it
  };
  // Whether the block is judged is drawn when it begins. Afterwards that is known, even if it
  // begins again.
  enum class Judged : std::uint8_t { kNotDrawn, kYes, kNo };
  Kind kind = Kind::kAnnotation;
  Judged judged = Judged::kNotDrawn;
  bool atomic = false;
  bool own = false;      // if all functions are blocks: a function of the program, not of a library
  bool at_risk = false;  // its findings wait until it is clear that it is a block (online/report.h)
  const char* name = nullptr;   // of an annotation
  Pc function = 0;              // of an annotation 0
  const void* scope = nullptr;  // of an annotation in an object or a coroutine: where that is
  const void* frame = nullptr;
  Pc pc = 0;  // where it begins; of a function, an address in it
};

// What an access must know of its thread. It may take the fast path if no bit but kDirty is set.
enum State : std::uint32_t {
  kInside = 1,     // it is in the runtime: further events are dropped
  kMarking = 2,    // it is in the few instructions that change a cell (online/marking.h)
  kIdle = 4,       // not in a transaction, nor reached from an open one: its accesses do not matter
  kBlind = 8,      // its accesses are ignored
  kHasLog = 16,    // it is recorded
  kDirty = 32,     // another thread may have seen its current time
  kUnplaced = 64,  // a block began without a time stamp: the next event gets one
  kHasPoints = 128,  // each access is a point (schedule/point.h)
  kDestroys = 256,   // its plain accesses are ignored: it destroys what nobody refers to any more
  kSignalled = 1u << 31,  // signals wait until it leaves the runtime; the sign of the word
};

enum class Transaction : std::uint32_t { kClosed, kOpen, kOpenWithRows };
enum class Life : std::uint32_t { kFree, kForked, kRunning, kFinished, kGone };

// A cache of how the sets of readers change: (readers before, epoch added) -> readers after.
struct ReaderCache {
  struct Line {
    std::uint32_t before, epoch, after;
  } lines[64];
};

// The findings of a thread that were not sent yet (online/report.h).
class FindingDraft;  // online/finding_draft.h
struct Findings {
  FindingDraft* waiting;  // for the next events of the thread; null: none
  FindingDraft* ready;    // a list, the latest first
  FindingDraft* held;     // a list: what they blame may turn out to be no block
  std::uint32_t depth;    // of the block that must end before the waiting one is ready
  std::uint64_t closing;  // index in the history of the first entry after it was found
  std::uint64_t until;    // or the history must have more entries than this
  bool any;               // is there any?
};

// A thread for ever: its state may have been given to another thread.
struct ThreadRef {
  std::uint32_t index, number;
  friend bool operator==(const ThreadRef&, const ThreadRef&) = default;
};

struct alignas(64) ThreadState {
  // The fields that every access looks at.
  Quick quick;
  std::uint64_t now_field;  // the bits of a Field with all four bytes at `now`
  Epoch now;                // its local time
  Epoch since;              // from here to `now` all times mean the same (is_current)
  Owner chunk_owner;        // marks chunks as its own
  record::ThreadLog* log;   // null if it is not recorded
  std::atomic<std::uint32_t> state = kInside;
  bool advanced;  // its time has advanced for the current event already
  bool depends;   // the current event has a live dependency
  History history;
  std::uint64_t base;  // of its slot
  std::uint64_t arrived_at;  // full time of the last event at which another transaction arrived
  std::uint32_t slot;  // the current one
  wire::ThreadCounters* counters;

  std::uint32_t muted;        // not 0: there is no slot for it, so it is not checked
  std::uint32_t ignored;      // not 0: the program asked to ignore its accesses
  std::uint32_t destroys;     // values that it is destroying, one for the sake of the other
  std::uint32_t held_before;  // locks, when it began with the outermost of these

  AtomicOperation* atomic;  // that is being performed now, on the memory of the program
  // The cells that it has locked or is about to lock. After a fork the child must unlock them.
  AtomicCell* locked;
  std::uint32_t locked_count;

  // The open transaction. Other threads read these under the lock of the reach engine.
  std::atomic<Transaction> transaction;  // CAS to kOpenWithRows under the lock
  std::atomic<std::uint64_t>
      start;  // full time of its first event; outside of transactions, of the current event
  SignalNumber signals_before;       // how many signals there were before its first event
  std::atomic<std::uint32_t> depth;  // entries of `blocks` in use
  std::uint32_t marks_used;          // marks beyond kMaxMarks are only counted
  std::uint32_t own_depth;           // marks of the program's own functions (Mark::own)
  std::uint32_t body_calls;          // how many functions of the program its body has called
  Pc body_callee;                    // the first of them
  CallSites body_callee_sites;       // what it calls
  std::uint32_t locks_held;          // if critical sections are blocks
  HeldLocks held;
  OpenBlock blocks[kMaxDepth];
  Mark* marks;  // kMaxMarks
  Sampling sampling;

  RecentTxns recent_txns;

  // What the transaction attempted, and whether another thread noticed it.
  Attempts attempts;

  // Read and written under the lock of the reach engine.
  std::uint64_t reached_at;   // the first time that another open transaction reaches
  ReachRow* rows[kMaxDepth];  // by depth: of open blocks that a live dependency has left
  std::uint32_t row_count;    // entries of `rows` that may be set
  Findings findings;

  // Who it is.
  std::uint32_t index;   // column in the reach matrix
  std::uint32_t number;  // in the order of creation
  std::uint32_t first_slot_of_transaction;
  Life life;      // changes under the registry's lock
  bool detached;  // nobody will join it; changes under the registry's lock
  ThreadState* parent;
  std::uint64_t fork_time;  // of the parent
  Pc start_function, fork_pc;
  std::uintptr_t stack_begin, stack_end;
  char name[32];

  ReaderCache readers;
  KnownSources known_sources;
  std::uint32_t dead_before[kSlots];  // by slot: epochs before this time are known to be dead
  record::ThreadEnd end;              // set when it ends, for the join
  SignalNumber end_signal;            // the number of its end; 0 before it ends

  std::uint64_t time() const { return base + time_of(now); }
  // Is this a time of the thread that can never be told from the current one
  // (docs/runtime/online.md, "Times that mean the same")?
  bool is_current(Epoch epoch) const { return epoch - since <= now - since; }
  bool is_dirty() const { return (state.load(std::memory_order_relaxed) & kDirty) != 0; }
  bool has_points() const { return (state.load(std::memory_order_relaxed) & kHasPoints) != 0; }
  bool is_idle() const { return (state.load(std::memory_order_relaxed) & kIdle) != 0; }

  // Called by the thread itself. One instruction, so that no signal handler can come in between. (A
  // fence instead of a clobber: local objects may stay in registers.)
  [[gnu::always_inline]] void set_state(std::uint32_t bit, bool on) {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (on) {
      __asm__ volatile("orl %1, %0" : "+m"(state) : "ir"(bit) : "cc");
    } else {
      __asm__ volatile("andl %1, %0" : "+m"(state) : "ir"(~bit) : "cc");
    }
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  // Clears the bit. Returns whether signals wait.
  [[gnu::always_inline]] bool leave(std::uint32_t bit) {
    bool signalled;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    __asm__ volatile("andl %2, %0" : "+m"(state), "=@ccs"(signalled) : "ir"(~bit));
    std::atomic_signal_fence(std::memory_order_seq_cst);
    return signalled;
  }
};

// Stands for threads that the runtime does not know (yet). It is always inside the runtime, so
// events are dropped.
extern ThreadState nobody;

extern constinit thread_local ThreadState* tls_thread __asm__(OMNIUM_INLINED_THREAD)
    __attribute__((tls_model("initial-exec"), visibility("default")));

// Is the epoch live? The owner of the slot writes often to where the answer is. But a dead epoch
// stays dead, and so do older ones of its slot: each thread remembers that, until the slot gets
// another owner (online/scrub.h).
inline bool is_live(ThreadState& thread, Epoch epoch) {
  const std::atomic_ref dead_before(thread.dead_before[slot_of(epoch)]);
  const std::uint32_t time = time_of(epoch);
  if (time < dead_before.load(std::memory_order_relaxed)) return false;
  if (is_live(epoch)) return true;
  dead_before.store(time + 1, std::memory_order_relaxed);
  return false;
}

// Is a dependency on the epoch certainly without effect? (An epoch of an older slot of the thread
// may be taken for another thread's.)
inline bool is_own_or_dead(ThreadState& thread, Epoch epoch) {
  return slot_of(epoch) == thread.slot || epoch == 0 || !is_live(thread, epoch);
}

// The thread has left the runtime, and signals wait, or it must wait itself.
[[gnu::cold]] void deliver_waiting_signals();
// What it waits for then; null: nothing. (It sets kSignalled when there is something to wait for.)
extern std::atomic<void (*)()> wait_outside;

// Is the thread outside of the runtime? If so, it is inside from now on.
[[gnu::always_inline]] inline bool enter_runtime(ThreadState& thread) {
  if ((thread.state.load(std::memory_order_relaxed) & (kInside | kMarking)) != 0) return false;
  thread.set_state(kInside, true);
  return true;
}
[[gnu::always_inline]] inline void leave_runtime(ThreadState& thread) {
  if (thread.leave(kInside)) [[unlikely]]
    deliver_waiting_signals();
}

// Exists while an event is handled. Converts to false if the event must be dropped.
class Inside {
 public:
  Inside() : thread_(*tls_thread), entered_(enter_runtime(thread_)) {}
  ~Inside() {
    if (entered_) leave_runtime(thread_);
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

// What a thread does with a value that nobody refers to any more is no access: no other thread can
// tell who destroys it. But where the thread holds a lock, it may access what others can reach.
inline void update_destroys(ThreadState& thread) {
  thread.set_state(kDestroys, thread.destroys != 0 && thread.held.count() == 0);
}
inline bool frees_no_access(const ThreadState& thread) {
  return thread.destroys != 0 && thread.held.count() <= thread.held_before;
}

// Are plain accesses of the thread ignored?
inline bool ignores_accesses(const ThreadState& thread) {
  return thread.ignored != 0 || (thread.state.load(std::memory_order_relaxed) & kDestroys) != 0;
}

// Gives the last event of the history a time stamp: its place among the events of other threads.
inline void place_last(ThreadState& thread) {
  thread.set_state(kUnplaced, false);
  thread.history.stamp_last();
}

// Adds an event with a time stamp of its own to the history.
inline void add_placed(ThreadState& thread, wire::EntryKind kind, std::uint64_t object,
                       unsigned size, Pc pc) {
  thread.set_state(kUnplaced, false);
  thread.history.add_stamped(kind, object, size, pc);
}

// All threads ------------------------------------------------------------------------------------

inline TxnRef open_txn(const ThreadState& thread) {
  const OpenBlock& block = thread.blocks[0];
  return {TxnRef::Known::kBlock, block.name, block.function, block.pc,
          thread.start.load(std::memory_order_relaxed)};
}

// What reports say of a thread whose state is used for another one.
struct PastThread {
  std::uint32_t number;
  Pc start_function;
  std::uintptr_t stack_begin, stack_end;
  char name[32];
};

inline ThreadRef ref(const ThreadState& thread) { return {thread.index, thread.number}; }
// Is the state still that of the thread?
bool is_current(ThreadRef thread);
// False if too many threads have been created since.
bool find_past_thread(std::uint32_t number, PastThread& found);

void map_threads();
ThreadState& thread_at(std::uint32_t index);
std::uint32_t thread_count();  // how many states were ever used

void lock_registry();
void unlock_registry();
// Must be called under the lock. An unused state, with its index and a new number; null if there
// are too many threads.
ThreadState* take_state();

}  // namespace omnium::runtime
