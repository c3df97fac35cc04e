// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/online/reach.h"

#include "runtime/online/local_time.h"
#include "runtime/online/report.h"
#include "runtime/system/channel.h"
#include "runtime/system/mapped.h"
#include "runtime/system/options.h"

namespace omnium::runtime {

constinit SpinLock reach_lock;
std::atomic<std::uint64_t> reach_state = 1;

namespace {

// Rows are about to change, so that dependencies without effect may have one.
void state_changes() { reach_state.fetch_add(1, std::memory_order_release); }

constexpr std::size_t kMaxRows = 16384;
ReachRow* all_rows[kMaxRows];  // first the rows in use, then those to use again
std::uint32_t open_rows, made_rows;

ReachRow* take_row(ThreadState& owner, std::uint32_t depth, std::uint64_t begin) {
  if (open_rows == kMaxRows) {
    count_forgotten();
    return nullptr;
  }
  state_changes();
  if (open_rows == made_rows) all_rows[made_rows++] = map_array<ReachRow>(1);
  ReachRow* row = all_rows[open_rows];
  row->place = open_rows++;
  row->start(owner, depth, begin);
  return row;
}

void give_back_row(ReachRow& row) {
  ReachRow*& last = all_rows[--open_rows];
  all_rows[row.place] = last;
  last->place = row.place;
  last = &row;
}

// Is the event at `time` part of the thread's open transaction? If so the transaction stays open
// while we hold the lock, because its end must wait for the lock from now on.
bool hold_transaction(ThreadState& thread, std::uint64_t time) {
  Transaction state = thread.transaction.load(std::memory_order_acquire);
  while (state == Transaction::kOpen) {
    if (thread.transaction.compare_exchange_weak(state, Transaction::kOpenWithRows)) {
      state = Transaction::kOpenWithRows;
    }
  }
  return state == Transaction::kOpenWithRows &&
         time >= thread.start.load(std::memory_order_acquire);
}

// Makes rows for the blocks around an event that is the source of a dependency. The thread may
// enter and leave nested blocks meanwhile. A row of a block that has ended does no harm (see
// own_row).
void provide_rows(ThreadState& thread, std::uint64_t time) {
  const std::uint32_t depth = thread.depth.load(std::memory_order_acquire);
  for (std::uint32_t i = 0; i < depth; ++i) {
    const std::uint64_t begin = thread.blocks[i].begin.load(std::memory_order_acquire);
    if (begin > time) break;
    ReachRow*& row = thread.rows[i];
    if (row != nullptr && row->begin != begin) {
      give_back_row(*row);
      row = nullptr;
    }
    if (row == nullptr) row = take_row(thread, i, begin);
    if (row == nullptr) return;
    if (thread.row_count <= i) thread.row_count = i + 1;
  }
}

// The row of the thread's own open block at this depth; null if it has none.
ReachRow* own_row(const ThreadState& thread, std::uint32_t depth) {
  if (depth >= thread.row_count) return nullptr;
  ReachRow* row = thread.rows[depth];
  const bool current =
      row != nullptr && row->begin == thread.blocks[depth].begin.load(std::memory_order_relaxed);
  return current ? row : nullptr;
}

// Rule 2. If several nested blocks are refuted, the innermost one is reported. Returns whether
// something is told; then the event has a time of its own.
bool check_blocks(ThreadState& thread, const Dependency& dependency, const Sink& sink) {
  if (thread.transaction.load(std::memory_order_relaxed) == Transaction::kClosed) return false;
  for (std::uint32_t depth = thread.depth.load(std::memory_order_relaxed); depth-- > 0;) {
    const ReachRow* row = own_row(thread, depth);
    if (row == nullptr || !row->reaches_event(*dependency.source, dependency.time)) continue;
    return report_violation(thread, *row, dependency, sink);
  }
  const ReachRow* row = own_row(thread, 0);
  if (row == nullptr || row->txn_reached(dependency.source->index) > dependency.time) return false;
  return report_cycle(thread, dependency, sink);
}

// What is known of the transaction of an event that is in no judged block. If it is in one that is
// passed over, the history says so.
TxnRef::Known outside() {
  return options.samples ? TxnRef::Known::kNothing : TxnRef::Known::kNoBlock;
}

// What a dependency adds to a row, by rules 4 and 5. `start` is that of the sink's transaction.
struct Added {
  bool to_events, to_txns;

  Added(const ReachRow& row, const ThreadState& thread, const Dependency& dependency,
        std::uint64_t start) {
    const ThreadState& source = *dependency.source;
    const bool is_own = row.owner == &thread;
    to_events = !is_own && row.reaches_event(source, dependency.time) &&
                !row.has_event(thread.index);
    to_txns = !is_own && row.depth == 0 && row.txn_reached(source.index) <= dependency.time &&
              row.txn_reached(thread.index) > start;
  }
  explicit operator bool() const { return to_events || to_txns; }
};

// Does the dependency add anything to a row? If not, nothing can tell the event from those before
// it, and it needs no time of its own.
bool changes_rows(const ThreadState& thread, const Dependency& dependency) {
  const bool open = thread.transaction.load(std::memory_order_relaxed) != Transaction::kClosed;
  const std::uint64_t start =
      open ? thread.start.load(std::memory_order_relaxed) : thread.time();
  for (std::uint32_t i = 0; i < open_rows; ++i) {
    if (Added(*all_rows[i], thread, dependency, start)) return true;
  }
  return false;
}

// The innermost block of the thread that the source reaches back to, and from which time of the
// source on; the outermost one, if only its transaction is reached; null if there is none.
struct Reaching {
  const ReachRow* row = nullptr;
  std::uint64_t from = 0;
  std::uint32_t refuted_depth = 0;  // 1 + that of a refuted block because of which nothing is told
};

Reaching reaching(const ThreadState& thread, const Dependency& dependency) {
  Reaching found;
  if (thread.transaction.load(std::memory_order_relaxed) == Transaction::kClosed) return found;
  const std::uint32_t open = thread.depth.load(std::memory_order_relaxed);
  for (std::uint32_t depth = open; depth-- > 0;) {
    const ReachRow* row = own_row(thread, depth);
    if (row == nullptr || !row->reaches_event(*dependency.source, dependency.time)) continue;
    return {row, row->event_reached(dependency.source->index),
            thread.blocks[depth].refuted ? depth + 1 : 0};
  }
  const ReachRow* row = own_row(thread, 0);
  if (row == nullptr || row->txn_reached(dependency.source->index) > dependency.time) return found;
  found = {row, row->txn_reached(dependency.source->index), 0};
  for (std::uint32_t depth = 0; depth < open; ++depth) {
    if (thread.blocks[depth].refuted) found.refuted_depth = depth + 1;
  }
  return found;
}

// The dependency has had no effect. Remembers why it will have none again, if that is certain: it
// does not close a cycle, or its block is refuted already; and its source has been noticed.
void remember_source(ThreadState& thread, const Dependency& dependency) {
  const ThreadState& source = *dependency.source;
  const std::uint64_t source_start = source.start.load(std::memory_order_relaxed);
  if (source.transaction.load(std::memory_order_relaxed) != Transaction::kClosed &&
      dependency.time >= source_start && !source.attempts.is_noticed(source_start)) {
    return;
  }
  const Reaching cycle = reaching(thread, dependency);
  if (cycle.row != nullptr && cycle.refuted_depth == 0) return;
  std::uint64_t begin = 0;
  if (cycle.refuted_depth != 0) {
    begin = thread.blocks[cycle.refuted_depth - 1].begin.load(std::memory_order_relaxed);
  }
  thread.known_sources.of(source.index) = {
      reach_state.load(std::memory_order_relaxed), cycle.from, dependency.time, begin,
      source.index, cycle.refuted_depth};
}

// Rules 4 and 5.
void spread(ThreadState& thread, const Dependency& dependency, const Sink& sink) {
  const ThreadState& source = *dependency.source;
  state_changes();
  const std::uint64_t start = thread.start.load(std::memory_order_relaxed);
  const bool open = thread.transaction.load(std::memory_order_relaxed) != Transaction::kClosed;
  const ReachRow* mine = open ? own_row(thread, 0) : nullptr;
  ReachLink link{};
  link.time = thread.time();
  link.from_time = dependency.time;
  link.object = sink.object;
  link.pc = sink.pc;
  link.thread = ref(thread);
  link.from = ref(source);
  link.txn = open ? open_txn(thread) : TxnRef{outside(), nullptr, 0, 0, start};
  link.from_txn = dependency.txn;
  link.kind = dependency.kind;
  link.size = sink.size;
  link.atomicity = sink.atomicity;
  for (std::uint32_t i = 0; i < open_rows; ++i) {
    ReachRow& row = *all_rows[i];
    const Added added(row, thread, dependency, start);
    if (added) row.reach(link, added.to_events, added.to_txns);
    if (!added.to_txns) continue;
    if (mine != nullptr) row.merge_txns(*mine);
    if (start < thread.reached_at) thread.reached_at = start;
  }
}

void remove_from_reached(const ReachRow& row) {
  row.for_each_txn([&](std::uint32_t index) {
    ThreadState& thread = thread_at(index);
    if (&thread == row.owner) return;
    std::uint64_t least = kNotReached;
    for (std::uint32_t i = 0; i < open_rows; ++i) {
      const ReachRow& other = *all_rows[i];
      if (other.depth != 0 || other.owner == &thread) continue;
      if (other.txn_reached(index) < least) least = other.txn_reached(index);
    }
    thread.reached_at = least;
    publish_reached(thread);
  });
}

}  // namespace

void publish_reached(ThreadState& thread) {
  for (std::uint32_t slot = thread.slot; slot != 0; slot = slots[slot].older) {
    const std::uint64_t base = slots[slot].base;
    std::uint32_t from = 0;
    if (thread.reached_at > base) {
      from = thread.reached_at - base < kTimes
                 ? static_cast<std::uint32_t>(thread.reached_at - base)
                 : kNever;
    }
    slots[slot].reached_from.store(from, std::memory_order_release);
  }
}

namespace {

void receive_under_lock(ThreadState& thread, const Dependency* dependencies, std::size_t count,
                        const Sink& sink) {
  const SpinGuard guard(reach_lock);
  ++thread.counters->live_dependencies;
  const std::uint64_t reached_before = thread.reached_at;
  for (std::size_t i = 0; i < count; ++i) {
    Dependency dependency = dependencies[i];
    ThreadState& source = *dependency.source;
    if (&source == &thread) continue;
    if (hold_transaction(source, dependency.time)) {
      dependency.txn = open_txn(source);
      provide_rows(source, dependency.time);
      source.attempts.notice(source.start.load(std::memory_order_relaxed), sink.object, sink.size,
                             dependency.only_read);
    } else if (dependency.time < source.reached_at) {
      continue;  // it is not live any more
    } else {
      dependency.txn = source.recent_txns.find(dependency.time);
      if (dependency.txn.known == TxnRef::Known::kNoBlock) dependency.txn.known = outside();
    }
    thread.depends = true;
    const bool told = check_blocks(thread, dependency, sink);
    if (!told && !changes_rows(thread, dependency)) {
      remember_source(thread, dependency);
      continue;
    }
    if (!thread.advanced) advance(thread);  // Rule 3
    thread.advanced = true;
    thread.since = thread.now;
    thread.arrived_at = thread.time();
    if (thread.transaction.load(std::memory_order_relaxed) == Transaction::kClosed) {
      thread.start.store(thread.time(), std::memory_order_relaxed);
    }
    spread(thread, dependency, sink);
  }
  if (thread.reached_at != reached_before) publish_reached(thread);
  if (thread.reached_at != kNotReached && thread.is_idle()) set_idle(thread, false);
}

}  // namespace

void receive(ThreadState& thread, const Dependency* dependencies, std::size_t count,
             const Sink& sink) {
  const FindingDraft* const found_before = thread.findings.waiting;
  receive_under_lock(thread, dependencies, count, sink);
  if (thread.findings.waiting != found_before) add_stack(thread);
}

bool is_unnoticed(const ThreadState& thread, AtomicVariable variable) {
  if (thread.transaction.load(std::memory_order_acquire) != Transaction::kOpenWithRows) return true;
  const SpinGuard guard(reach_lock);
  return thread.attempts.unnoticed(thread.start.load(std::memory_order_relaxed), variable);
}

void drop_rows(ThreadState& thread) {
  const SpinGuard guard(reach_lock);
  ReachRow* const outermost = thread.row_count > 0 ? thread.rows[0] : nullptr;
  for (std::uint32_t i = 0; i < thread.row_count; ++i) {
    if (thread.rows[i] != nullptr) give_back_row(*thread.rows[i]);
    thread.rows[i] = nullptr;
  }
  thread.row_count = 0;
  if (outermost != nullptr) remove_from_reached(*outermost);
}

void forget_column(ThreadState& thread) {
  const SpinGuard guard(reach_lock);
  state_changes();  // times of the thread begin anew, too
  for (std::uint32_t i = 0; i < open_rows; ++i) all_rows[i]->forget(thread.index);
}

}  // namespace omnium::runtime
