// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Direct dependencies (docs/semantics.md#conflicts-and-order) of a stream of events, in O(1) per
// event but for writes, which cost one step per thread that read the variable since its last write.
//
// Feed every event once, in order. `emit(source, kind, object)` is called, before the method
// returns, for each direct dependency from `source` (an event of another thread) to the event being
// fed. If there is an `emit.wants(source)`, it is asked first: no means that nothing can come of
// any dependency from `source`, now or later, and saves finding out whether there is one.
//
// Per variable 16 bytes: the last write, and the only reader since then or a handle to a table of
// readers. An access is its thread and its event index in one word, so the repeated access of one
// thread (the common case) is one load, one compare, one store.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "event/event.h"
#include "finding/finding.h"
#include "support/id.h"

namespace omnium {

// Thread and event index in 64 bits: | thread 16 | 0 | index 47 |.
class Access {
 public:
  static constexpr int kIndexBits = 47;

  constexpr Access() = default;
  constexpr Access(ThreadId t, EventIndex index)
      : bits_(std::uint64_t{t.v} << (kIndexBits + 1) | index) {}

  constexpr bool is_none() const { return bits_ == kNone; }
  constexpr ThreadId thread() const {
    return {static_cast<std::uint32_t>(bits_ >> (kIndexBits + 1))};
  }
  constexpr EventIndex index() const { return bits_ & kIndexMask; }

 private:
  friend class DirectDependencies;
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  static constexpr std::uint64_t kIndexMask = (std::uint64_t{1} << kIndexBits) - 1;

  std::uint64_t bits_ = kNone;
};

// Sets of readers, one access per thread, for variables that several threads read. A set is an
// array by thread id as long as ids are small, and a small hash table over thread ids otherwise; it
// doubles when it is too small. Sets of one size are pooled.
class ReaderSets {
 public:
  using Handle = std::uint64_t;  // | hashed 1 | size class 6 | number 40 |: fits into 47 bits

  // Empty, with room for threads up to t if ids are small.
  Handle create_for(ThreadId t) {
    std::size_t size_class = 0;
    while (t.v < kMaxDirect && t.v >= kSmallest << size_class) ++size_class;
    return create_in(size_class);
  }
  void destroy(Handle set);
  // The entry of t, or an empty one that the caller fills. May move the set to a larger size class.
  Access& entry(Handle& set, ThreadId t);
  // Whether t's entry is where `direct_entry` says, so that it can be written without looking.
  static bool direct(Handle set, ThreadId t) {
    return (set & kHashed) == 0 && t.v < capacity_of(set);
  }
  Access& direct_entry(Handle set, ThreadId t) { return entries_of(set)[t.v]; }

  template <class Visit>
  void for_each(Handle set, Visit&& visit) const {
    const Access* entries = entries_of(set);
    for (std::size_t i = 0; i < capacity_of(set); ++i) {
      if (!entries[i].is_none()) visit(entries[i]);
    }
  }

 private:
  struct Pool {
    std::vector<Access> entries;
    std::vector<std::uint64_t> free;
  };
  static constexpr int kNumberBits = 40;
  static constexpr Handle kHashed = Handle{1} << 46;
  static constexpr std::size_t kSmallest = 4;
  static constexpr std::uint32_t kMaxDirect = 64;  // larger thread ids would waste memory in arrays

  static std::size_t class_of(Handle set) { return (set & ~kHashed) >> kNumberBits; }
  static std::size_t capacity_of(Handle set) { return kSmallest << class_of(set); }
  Handle create_in(std::size_t size_class);
  Handle grown(Handle set);
  const Access* entries_of(Handle set) const {
    const std::uint64_t number = set & ((std::uint64_t{1} << kNumberBits) - 1);
    return pools_[class_of(set)].entries.data() + number * capacity_of(set);
  }
  Access* entries_of(Handle set) {
    return const_cast<Access*>(static_cast<const ReaderSets*>(this)->entries_of(set));
  }

  std::vector<Pool> pools_;
};

inline Access& ReaderSets::entry(Handle& set, ThreadId t) {
  while (!direct(set, t) && (set & kHashed) == 0 && t.v < kMaxDirect) set = grown(set);
  if (direct(set, t)) return direct_entry(set, t);
  set |= kHashed;  // entries of an array are where a hash table would have them
  for (;;) {
    const std::size_t mask = capacity_of(set) - 1;
    Access* entries = entries_of(set);
    for (std::size_t probe = 0; probe <= mask; ++probe) {
      Access& entry = entries[(t.v + probe) & mask];
      if (entry.is_none() || entry.thread() == t) return entry;
    }
    set = grown(set);
  }
}

class DirectDependencies {
 public:
  void grow_to(const Extent& extent) {
    threads_.grow_to(extent.threads);
    variables_.grow_to(extent.variables);
    last_release_.grow_to(extent.locks);
  }

  // A read or a write, in one: which of the two it is has no pattern, so the common case does not
  // branch on it.
  template <class Emit>
  [[gnu::always_inline]] void access(ThreadId t, VarId x, bool writes, EventIndex now,
                                     Emit&& emit) {
    touch(t, now, emit);
    Variable& variable = variables_[x];
    const Access mine(t, now), last_write = variable.last_write, reads = variable.reads;
    const int unread = reads.is_none();
    const int own = own_or_none(last_write, mine) & own_or_none(reads, mine);
    if ((~own & ~unread & (int{!writes} | int{is_set(reads)}) & 1) != 0) {
      return writes ? write_after_readers(variable, x, mine, emit)
                    : read_with_others(variable, x, mine, emit);
    }
    // Nobody else has touched it since the last write, and that was ours; or there is one access
    // that it may depend on.
    variable.last_write = chosen(writes, mine, last_write);
    variable.reads = chosen(writes, Access(), mine);
    const Access source = chosen(unread != 0, last_write, reads);
    if (own_or_none(source, mine) != 0) return;
    if constexpr (requires { emit.wants(source); }) {
      if (!emit.wants(source)) return;
    }
    emit(source,
         !writes  ? DependencyKind::kWriteRead
         : unread ? DependencyKind::kWriteWrite
                  : DependencyKind::kReadWrite,
         x.v);
  }
  template <class Emit>
  void read(ThreadId t, VarId x, EventIndex now, Emit&& emit) {
    access(t, x, false, now, emit);
  }
  template <class Emit>
  void write(ThreadId t, VarId x, EventIndex now, Emit&& emit) {
    access(t, x, true, now, emit);
  }

  template <class Emit>
  void acquire(ThreadId t, LockId m, EventIndex now, Emit&& emit) {
    touch(t, now, emit);
    depend(t, last_release_[m], DependencyKind::kReleaseAcquire, m.v, emit);
  }

  template <class Emit>
  void release(ThreadId t, LockId m, EventIndex now, Emit&& emit) {
    touch(t, now, emit);
    last_release_[m] = Access(t, now);
  }

  template <class Emit>
  void fork(ThreadId t, ThreadId child, EventIndex now, Emit&& emit) {
    touch(t, now, emit);
    threads_[child].forked = Access(t, now);
  }

  // If `other` did nothing, its fork precedes the join.
  template <class Emit>
  void join(ThreadId t, ThreadId other, EventIndex now, Emit&& emit) {
    touch(t, now, emit);
    const Thread& joined = threads_[other];
    const Access last = joined.last == kNoEvent ? joined.forked : Access(other, joined.last);
    depend(t, last, DependencyKind::kJoin, other.v, emit);
  }

  // Such an event touches no object, but may be the first of its thread.
  template <class Emit>
  void begin_or_end(ThreadId t, EventIndex now, Emit&& emit) {
    touch(t, now, emit);
  }

 private:
  struct Variable {
    Access last_write;
    Access
        reads;  // none, the only reader, or (with kSetFlag) a set of readers; since the last write
  };
  struct Thread {
    EventIndex last = kNoEvent;
    Access forked;
  };
  static constexpr std::uint64_t kSetFlag = std::uint64_t{1} << Access::kIndexBits;

  static bool same_thread(Access recorded, Access mine) {
    return (recorded.bits_ ^ mine.bits_) >> Access::kIndexBits == 0;
  }
  // As a number, so that two of them can be joined without a branch.
  static int own_or_none(Access recorded, Access mine) {
    return int{same_thread(recorded, mine)} | int{recorded.is_none()};
  }
  // One or the other, without a branch.
  static Access chosen(bool first, Access a, Access b) {
    const std::uint64_t mask = std::uint64_t{0} - std::uint64_t{first};
    Access out;
    out.bits_ = (a.bits_ & mask) | (b.bits_ & ~mask);
    return out;
  }
  static bool is_set(Access reads) { return (reads.bits_ & kSetFlag) != 0; }
  static ReaderSets::Handle set_of(Access reads) { return reads.bits_ & Access::kIndexMask; }
  static Access as_reads(ReaderSets::Handle set) {
    Access reads;
    reads.bits_ = kSetFlag | set;
    return reads;
  }

  // Others have read it since the last write, or this thread has.
  template <class Emit>
  [[gnu::always_inline]] void read_with_others(Variable& variable, VarId x, Access mine,
                                               Emit& emit) {
    if (same_thread(variable.reads, mine)) {
      variable.reads = mine;
      return;
    }
    const ThreadId t = mine.thread();
    const Access write = variable.last_write;
    const bool on_write = depends(t, write, emit);
    if (!on_write && is_set(variable.reads) && ReaderSets::direct(set_of(variable.reads), t)) {
      // Written without a look: this is where variables that all threads read would miss the cache.
      readers_.direct_entry(set_of(variable.reads), t) = mine;
      return;
    }
    if (first_read(variable, mine) && on_write) emit(write, DependencyKind::kWriteRead, x.v);
  }

  // Several threads have read it since the last write.
  template <class Emit>
  void write_after_readers(Variable& variable, VarId x, Access mine, Emit& emit) {
    const ThreadId t = mine.thread();
    sources_.clear();
    readers_.for_each(set_of(variable.reads), [&](Access reader) {
      if (depends(t, reader, emit)) sources_.push_back(reader);
    });
    readers_.destroy(set_of(variable.reads));
    // What is found must not depend on how threads are numbered.
    std::sort(sources_.begin(), sources_.end(),
              [](Access a, Access b) { return a.index() < b.index(); });
    for (const Access reader : sources_) emit(reader, DependencyKind::kReadWrite, x.v);
    variable.reads = Access();
    variable.last_write = mine;
  }

  template <class Emit>
  static bool depends(ThreadId t, Access source, Emit& emit) {
    if (source.is_none() || source.thread() == t) return false;
    if constexpr (requires { emit.wants(source); }) return emit.wants(source);
    return true;
  }

  template <class Emit>
  static void depend(ThreadId t, Access source, DependencyKind kind, std::uint32_t object,
                     Emit& emit) {
    if (depends(t, source, emit)) emit(source, kind, object);
  }

  template <class Emit>
  void touch(ThreadId t, EventIndex now, Emit&& emit) {
    Thread& thread = threads_[t];
    const bool first = thread.last == kNoEvent;
    thread.last = now;
    if (first && !thread.forked.is_none()) [[unlikely]] {
      depend(t, thread.forked, DependencyKind::kFork, t.v, emit);
    }
  }

  // Records a read by a thread other than the only reader; true if it is its first since the last
  // write.
  [[gnu::noinline]] bool first_read(Variable& variable, Access mine) {
    ReaderSets::Handle set;
    if (is_set(variable.reads)) {
      set = set_of(variable.reads);
    } else {
      set = readers_.create_for(std::max(variable.reads.thread(), mine.thread()));
      readers_.entry(set, variable.reads.thread()) = variable.reads;
    }
    Access& entry = readers_.entry(set, mine.thread());
    const bool first = entry.is_none();
    entry = mine;
    variable.reads = as_reads(set);
    return first;
  }

  IdTable<ThreadId, Thread> threads_;
  IdTable<VarId, Variable> variables_;
  IdTable<LockId, Access> last_release_;
  ReaderSets readers_;
  std::vector<Access> sources_;  // of the current write
};

}  // namespace omnium
