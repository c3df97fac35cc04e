// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/events/blocks.h"

#include "runtime/online/local_time.h"
#include "runtime/online/reach.h"
#include "runtime/online/report.h"
#include "runtime/online/slots.h"
#include "runtime/record/record.h"
#include "runtime/system/options.h"

namespace omnium::runtime {

namespace {

std::uint64_t label_of(const OpenBlock& block) {
  return block.name != nullptr ? reinterpret_cast<std::uint64_t>(block.name) : block.function;
}

void open_transaction(ThreadState& thread) {
  thread.start.store(thread.time(), std::memory_order_relaxed);
  thread.first_slot_of_transaction = thread.slot;
  thread.signals_before = signals_so_far();
  slots[thread.slot].own_from.store(time_of(thread.now), std::memory_order_release);
  thread.transaction.store(Transaction::kOpen, std::memory_order_release);
}

// The thread's blocks from `depth` on begin with its next event. If it had none before, that is the
// first event of a transaction.
[[gnu::always_inline]] inline void begin_at_next_event(ThreadState& thread, std::uint32_t depth,
                                                       std::uint32_t end, Pc waited_pc) {
  if (depth == 0) thread.set_state(kIdle, false);
  if (thread.is_dirty()) {
    advance(thread);
  } else if (depth == 0) {
    update_quick(thread);
  }
  for (std::uint32_t i = depth; i < end; ++i) {
    thread.blocks[i].refuted = false;
    thread.blocks[i].waited_pc = waited_pc;
    thread.blocks[i].begin.store(thread.time(), std::memory_order_relaxed);
  }
  if (depth == 0) open_transaction(thread);
}

[[gnu::always_inline]] inline void add_to_history(ThreadState& thread, wire::EntryKind kind,
                                                  std::uint32_t depth, std::uint8_t what, Pc pc) {
  const OpenBlock& block = thread.blocks[depth];
  if (block.name == nullptr) what |= wire::kIsFunction;
  if (depth == 0) what |= wire::kIsOutermost;
  thread.history.add(kind, label_of(block), what, pc);
}

// An open transaction reaches the thread, so events of the transaction that ends now can be sources
// of dependencies later. They must be told from those that follow.
[[gnu::noinline]] void keep_transaction(ThreadState& thread) {
  thread.recent_txns.add(open_txn(thread), thread.time());
  advance(thread);
}

void close_transaction(ThreadState& thread) {
  if (slots[thread.slot].reached_from.load(std::memory_order_relaxed) != kNever) {
    keep_transaction(thread);
  }
  const Transaction was = thread.transaction.exchange(Transaction::kClosed);
  // Once own_from is kNever the scrubber may take the slot away, so `older` is read before.
  for (std::uint32_t slot = thread.slot, older;; slot = older) {
    older = slots[slot].older;
    slots[slot].own_from.store(kNever, std::memory_order_release);
    if (slot == thread.first_slot_of_transaction) break;
  }
  if (was == Transaction::kOpenWithRows) drop_rows(thread);
  update_idle(thread);
}

void open_block(ThreadState& thread, const char* name, Pc function, Pc pc) {
  const std::uint32_t depth = thread.depth.load(std::memory_order_relaxed);
  OpenBlock& block = thread.blocks[depth];
  block.name = name;
  block.function = function;
  block.pc = pc;
  block.doubtful = false;
  ++thread.counters->blocks;
  if (thread.log != nullptr && name != nullptr) record::begin(*thread.log, name, pc);
  if (thread.log != nullptr && name == nullptr) record::begin_function(*thread.log, function, pc);
  if (!options.checks) {
    thread.depth.store(depth + 1, std::memory_order_relaxed);
    return;
  }
  start_event(thread);
  begin_at_next_event(thread, depth, depth + 1, 0);
  thread.depth.store(depth + 1, std::memory_order_release);
  // No time stamp yet: most blocks start by taking a lock, and then the stamp of the lock is
  // enough.
  add_to_history(thread, wire::EntryKind::kBegin, depth, 0, pc);
  thread.set_state(kUnplaced, true);
}

void close_block(ThreadState& thread, Pc pc) {
  const std::uint32_t depth = thread.depth.load(std::memory_order_relaxed) - 1;
  if (thread.log != nullptr) record::end(*thread.log, pc);
  thread.depth.store(depth, std::memory_order_release);
  if (!options.checks) return;
  add_to_history(thread, wire::EntryKind::kEnd, depth, 0, pc);
  if (depth == 0) close_transaction(thread);
  if (thread.findings.any) {
    if (depth < thread.findings.depth) end_findings(thread);
    send_findings(thread);
  }
}

}  // namespace

void push_block(ThreadState& thread, const char* name, Pc function, const void* frame, Pc pc,
                bool atomic) {
  const std::uint32_t place = thread.marks_used++;
  if (place >= kMaxMarks) return;
  atomic = atomic && thread.depth.load(std::memory_order_relaxed) < kMaxDepth;
  thread.marks[place] = {name != nullptr ? 0 : function, frame, atomic};
  if (atomic) open_block(thread, name, function, pc);
}

void pop_mark(ThreadState& thread, Pc pc) {
  if (thread.marks_used == 0) return;  // an end without a begin
  const std::uint32_t place = --thread.marks_used;
  if (place < kMaxMarks && thread.marks[place].atomic) close_block(thread, pc);
}

void pop_annotation(ThreadState& thread, Pc pc) {
  // Functions inside of it were left without the runtime seeing their ends.
  while (thread.marks_used > 0 && thread.marks_used <= kMaxMarks &&
         thread.marks[thread.marks_used - 1].function != 0) {
    pop_mark(thread, pc);
  }
  pop_mark(thread, pc);
}

void pop_function(ThreadState& thread, Pc function, Pc pc) {
  if (thread.marks_used > kMaxMarks) return pop_mark(thread, pc);
  std::uint32_t place = thread.marks_used;
  while (place > 0 && thread.marks[place - 1].function != function) --place;
  if (place == 0) return;  // it was entered before the runtime knew that it is a block
  while (thread.marks_used >= place) pop_mark(thread, pc);
}

void pop_frames_below(ThreadState& thread, const void* frame) {
  while (thread.marks_used > kMaxMarks) pop_mark(thread, 0);
  while (thread.marks_used > 0 && thread.marks[thread.marks_used - 1].frame < frame) {
    pop_mark(thread, 0);
  }
}

void pop_all(ThreadState& thread) {
  while (thread.marks_used > 0) pop_mark(thread, 0);
}

void begin_part(ThreadState& thread, Pc pc) {
  const std::uint32_t depth = thread.depth.load(std::memory_order_relaxed);
  if (depth == 0 || !options.splits) return;
  if (thread.findings.any) end_findings(thread);
  for (std::uint32_t i = depth; i-- > 0;) {
    add_to_history(thread, wire::EntryKind::kEnd, i, wire::kIsPart, pc);
  }
  close_transaction(thread);
  begin_at_next_event(thread, 0, depth, pc);
  for (std::uint32_t i = 0; i < depth; ++i) {
    add_to_history(thread, wire::EntryKind::kBegin, i, wire::kIsPart, thread.blocks[i].pc);
  }
  thread.set_state(kUnplaced, true);
}

void abandon_blocks(ThreadState& thread) {
  thread.marks_used = 0;
  thread.depth.store(0, std::memory_order_relaxed);
  thread.transaction.store(Transaction::kClosed, std::memory_order_relaxed);
  for (std::uint32_t slot = thread.slot; slot != 0; slot = slots[slot].older) {
    slots[slot].own_from.store(kNever, std::memory_order_relaxed);
  }
  drop_rows(thread);
  drop_findings(thread);
}

}  // namespace omnium::runtime
