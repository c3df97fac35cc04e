// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/events/blocks.h"

#include <algorithm>

#include "runtime/online/local_time.h"
#include "runtime/online/reach.h"
#include "runtime/online/report.h"
#include "runtime/online/slots.h"
#include "runtime/record/record.h"
#include "runtime/schedule/point.h"
#include "runtime/state/stack.h"
#include "runtime/system/options.h"

namespace omnium::runtime {

namespace {

template <class Block>
std::uint64_t label_of(const Block& block) {
  return block.name != nullptr ? reinterpret_cast<std::uint64_t>(block.name) : block.function;
}

SignalNumber signals_before(const ThreadState& thread) {
  if (thread.log != nullptr) return record::place_of(*thread.log);
  return thread.sampling.passed_over == 0 ? signals_so_far() : thread.sampling.signals_around;
}

void open_transaction(ThreadState& thread) {
  thread.start.store(thread.time(), std::memory_order_relaxed);
  thread.first_slot_of_transaction = thread.slot;
  thread.signals_before = signals_before(thread);
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
  thread.since = thread.now;
  for (std::uint32_t i = depth; i < end; ++i) {
    thread.blocks[i].refuted = false;
    thread.blocks[i].waited_pc = waited_pc;
    thread.blocks[i].begin.store(thread.time(), std::memory_order_relaxed);
  }
  if (depth == 0) open_transaction(thread);
}

template <class Block>
[[gnu::always_inline]] inline void add_to_history(ThreadState& thread, wire::EntryKind kind,
                                                  const Block& block, std::uint32_t depth,
                                                  std::uint8_t what, Pc pc) {
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

void open_block(ThreadState& thread, const Mark& mark) {
  const std::uint32_t depth = thread.depth.load(std::memory_order_relaxed);
  OpenBlock& block = thread.blocks[depth];
  block.name = mark.name;
  block.function = mark.function;
  block.pc = mark.pc;
  block.doubtful = false;
  block.at_risk = mark.at_risk;
  ++thread.counters->blocks;
  if (depth == 0 && points_matter) [[unlikely]]
    note_block();
  if (!options.checks) {
    thread.depth.store(depth + 1, std::memory_order_relaxed);
    return;
  }
  start_event(thread);
  begin_at_next_event(thread, depth, depth + 1, 0);
  thread.depth.store(depth + 1, std::memory_order_release);
  // No time stamp yet: most blocks start by taking a lock, and then the stamp of the lock is
  // enough.
  add_to_history(thread, wire::EntryKind::kBegin, block, depth, 0, mark.pc);
  thread.set_state(kUnplaced, true);
}

// A block has ended: its times mean the same as those of the block around it, if there is one.
void join_times(ThreadState& thread, std::uint32_t depth) {
  thread.since = thread.now;
  if (depth == 0) return;
  const std::uint64_t begin = thread.blocks[depth - 1].begin.load(std::memory_order_relaxed);
  const std::uint64_t since = std::max({begin, thread.arrived_at, thread.base});
  thread.since = epoch_of(thread.slot, static_cast<std::uint32_t>(since - thread.base));
}

void close_block(ThreadState& thread, Pc pc) {
  const std::uint32_t depth = thread.depth.load(std::memory_order_relaxed) - 1;
  thread.depth.store(depth, std::memory_order_release);
  if (!options.checks) return;
  join_times(thread, depth);
  add_to_history(thread, wire::EntryKind::kEnd, thread.blocks[depth], depth, 0, pc);
  if (depth == 0) close_transaction(thread);
  if (thread.findings.any) {
    if (depth < thread.findings.depth) end_findings(thread);
    send_findings(thread);
  }
}

// The outermost block that is open and passed over. There is one.
const Mark& outermost_passed_over(const ThreadState& thread) {
  const Mark* mark = thread.marks;
  while (!mark->atomic) ++mark;
  return *mark;
}

// A judged block begins or ends in one that is passed over. The history tells of the outermost of
// these, and never of both at once: it is a cut to it.
void cut_passed_over(ThreadState& thread, wire::EntryKind kind, Pc pc) {
  const Mark& mark = outermost_passed_over(thread);
  const bool begins = kind == wire::EntryKind::kBegin;
  add_to_history(thread, kind, mark, 0, wire::kIsPart, begins ? mark.pc : pc);
}

void pass_over(ThreadState& thread, const Mark& mark) {
  ++thread.counters->passed_over;
  if (thread.sampling.passed_over++ != 0) return;
  thread.sampling.signals_around = signals_so_far();
  add_to_history(thread, wire::EntryKind::kBegin, mark, 0, 0, mark.pc);
  thread.set_state(kUnplaced, true);
}

void leave_passed_over(ThreadState& thread, const Mark& mark, Pc pc) {
  if (--thread.sampling.passed_over != 0) return;
  add_to_history(thread, wire::EntryKind::kEnd, mark, 0, 0, pc);
}

// Draws whether a block is judged, unless that is known.
void draw(ThreadState& thread, Mark& mark) {
  if (mark.judged != Mark::Judged::kNotDrawn) return;
  const bool judged = thread.depth.load(std::memory_order_relaxed) > 0 ||
                      !options.samples || thread.sampling.draw(options.share);
  mark.judged = judged ? Mark::Judged::kYes : Mark::Judged::kNo;
}

// Is the thread in a block that is passed over, and in no judged one?
bool is_in_passed_over(const ThreadState& thread) {
  return thread.sampling.passed_over != 0 && thread.depth.load(std::memory_order_relaxed) == 0;
}

void begin(ThreadState& thread, const Mark& mark) {
  if (thread.log != nullptr && mark.name != nullptr) {
    record::begin(*thread.log, mark.name, mark.pc);
  } else if (thread.log != nullptr) {
    record::begin_function(*thread.log, mark.function, mark.pc);
  }
  if (mark.judged == Mark::Judged::kNo) [[unlikely]]
    return pass_over(thread, mark);
  if (is_in_passed_over(thread)) [[unlikely]]
    cut_passed_over(thread, wire::EntryKind::kEnd, mark.pc);
  open_block(thread, mark);
}

void end(ThreadState& thread, const Mark& mark, Pc pc) {
  if (thread.log != nullptr) record::end(*thread.log, pc);
  if (mark.judged == Mark::Judged::kNo) [[unlikely]]
    return leave_passed_over(thread, mark, pc);
  close_block(thread, pc);
  if (is_in_passed_over(thread)) [[unlikely]]
    cut_passed_over(thread, wire::EntryKind::kBegin, pc);
}

}  // namespace

void begin_marked(ThreadState& thread, Mark& mark) {
  mark.atomic &= thread.depth.load(std::memory_order_relaxed) < kMaxDepth;
  if (mark.own) ++thread.own_depth;
  if (!mark.atomic) return;
  draw(thread, mark);
  begin(thread, mark);
}

void pop_mark(ThreadState& thread, Pc pc) {
  if (thread.marks_used == 0) return;  // an end without a begin
  const std::uint32_t place = --thread.marks_used;
  if (place >= kMaxMarks) return;
  if (thread.marks[place].own) --thread.own_depth;
  if (thread.marks[place].atomic) end(thread, thread.marks[place], pc);
}

namespace {

// Ends the block of the mark at `first`, and those behind it for which goes(mark) is true.
template <typename Goes>
void pop_from(ThreadState& thread, std::uint32_t first, Pc pc, Goes goes) {
  const std::uint32_t end = thread.marks_used;
  while (thread.marks_used > first) pop_mark(thread, pc);
  for (std::uint32_t i = first + 1; i < end; ++i) {
    const Mark mark = thread.marks[i];
    if (!goes(mark)) push_block(thread, mark);
  }
}

// The place behind the latest mark that is searched for; 0 if there is none.
template <typename Is>
std::uint32_t find_latest(const ThreadState& thread, Is is) {
  std::uint32_t place = std::min(thread.marks_used, kMaxMarks);
  while (place > 0 && !is(thread.marks[place - 1])) --place;
  return place;
}

// Ends all blocks for which goes(mark) is true.
template <typename Goes>
void pop_all_that(ThreadState& thread, Pc pc, Goes goes) {
  while (thread.marks_used > kMaxMarks) pop_mark(thread, pc);
  std::uint32_t first = 0;
  while (first < thread.marks_used && !goes(thread.marks[first])) ++first;
  if (first < thread.marks_used) pop_from(thread, first, pc, goes);
}

// Is it an annotation without a scope of its own?
bool is_annotation(const Mark& mark) { return mark.name != nullptr && mark.scope == nullptr; }

bool is_in_coroutine(const Mark& mark, Stack frame) {
  return mark.kind == Mark::Kind::kInCoroutine && frame.contains(mark.frame);
}

}  // namespace

namespace {

// Ends the latest annotation, although other blocks are still open in it.
[[gnu::noinline]] void pop_around_others(ThreadState& thread, Pc pc) {
  const auto place = find_latest(thread, is_annotation);
  if (place == 0) return;  // an end without a begin
  // Functions inside of it were left without the runtime seeing their ends.
  pop_from(thread, place - 1, pc,
           [](const Mark& mark) { return mark.kind == Mark::Kind::kFunction; });
}

}  // namespace

void pop_annotation(ThreadState& thread, Pc pc) {
  const std::uint32_t latest = thread.marks_used - 1;  // very large if there is none
  const bool others = latest < kMaxMarks && !is_annotation(thread.marks[latest]);
  others ? pop_around_others(thread, pc) : pop_mark(thread, pc);
}

void pop_scope(ThreadState& thread, const void* scope, Pc pc) {
  const auto place = find_latest(thread, [&](const Mark& mark) { return mark.scope == scope; });
  if (place == 0) return;  // it has ended already, perhaps in another thread
  pop_from(thread, place - 1, pc,
           [](const Mark& mark) { return mark.kind == Mark::Kind::kFunction; });
}

void pop_function(ThreadState& thread, Pc function, Pc pc) {
  if (thread.marks_used > kMaxMarks) return pop_mark(thread, pc);
  const auto place = find_latest(thread, [&](const Mark& mark) {
    return mark.kind == Mark::Kind::kFunction && mark.function == function;
  });
  if (place == 0) return;  // it was entered before the runtime knew that it is a block
  pop_from(thread, place - 1, pc,
           [](const Mark& mark) { return mark.kind != Mark::Kind::kSection; });
}

void pop_latest_function(ThreadState& thread, Pc pc) {
  if (thread.marks_used > kMaxMarks) return pop_mark(thread, pc);
  const auto place =
      find_latest(thread, [](const Mark& mark) { return mark.kind == Mark::Kind::kFunction; });
  if (place == 0) return;
  const Mark& ended = thread.marks[place - 1];
  if (ended.atomic) {
    return pop_from(thread, place - 1, pc,
                    [](const Mark& mark) { return mark.kind != Mark::Kind::kSection; });
  }
  // Sections that were opened in it need not end and begin again: it is no block.
  if (ended.own) --thread.own_depth;
  std::copy(thread.marks + place, thread.marks + thread.marks_used, thread.marks + place - 1);
  --thread.marks_used;
}

void pop_section(ThreadState& thread, Pc pc) {
  if (thread.marks_used > kMaxMarks) return pop_mark(thread, pc);
  const auto place =
      find_latest(thread, [](const Mark& mark) { return mark.kind == Mark::Kind::kSection; });
  if (place != 0) pop_from(thread, place - 1, pc, [](const Mark&) { return false; });
}

void pop_left_frames(ThreadState& thread, const void* from, const void* to) {
  const auto may_go = [&](const Mark& mark) {
    return mark.kind != Mark::Kind::kSection && mark.kind != Mark::Kind::kInObject;
  };
  if (find_latest(thread, may_go) == 0) return;
  const Stack stack = stack_around(thread, to), signals = signal_stack();
  const bool leaves_handler = signals.contains(from) && !signals.contains(to);
  pop_all_that(thread, 0, [&](const Mark& mark) {
    if (!may_go(mark)) return false;
    if (leaves_handler && signals.contains(mark.frame)) return true;
    return mark.frame < to && stack.contains(mark.frame);
  });
}

void pop_coroutine(ThreadState& thread, Stack frame, Pc pc) {
  pop_all_that(thread, pc, [&](const Mark& mark) { return is_in_coroutine(mark, frame); });
}

bool has_coroutine_block(const ThreadState& thread, Stack frame) {
  return find_latest(thread, [&](const Mark& mark) { return is_in_coroutine(mark, frame); }) != 0;
}

void pop_all(ThreadState& thread) {
  while (thread.marks_used > 0) pop_mark(thread, 0);
}

KeptMarks suspend_all(ThreadState& thread, Mark* kept, Pc pc) {
  const std::uint32_t used = thread.marks_used, count = std::min(used, kMaxMarks);
  std::copy(thread.marks, thread.marks + count, kept);
  while (thread.marks_used > 0) pop_mark(thread, pc);
  return {count, used - count};
}

void resume_all(ThreadState& thread, const Mark* kept, KeptMarks count) {
  pop_all(thread);  // blocks that were left open in between
  for (std::uint32_t i = 0; i < count.count; ++i) push_block(thread, kept[i]);
  thread.marks_used += count.beyond;
}

void begin_part(ThreadState& thread, Pc pc) {
  if (options.splits) begin_anew(thread, pc);
}

void begin_anew(ThreadState& thread, Pc pc) {
  const std::uint32_t depth = thread.depth.load(std::memory_order_relaxed);
  if (depth == 0 || !options.checks) return;
  if (thread.findings.any) end_findings(thread);
  for (std::uint32_t i = depth; i-- > 0;) {
    add_to_history(thread, wire::EntryKind::kEnd, thread.blocks[i], i, wire::kIsPart, pc);
  }
  close_transaction(thread);
  if (points_matter) [[unlikely]]
    note_block();
  begin_at_next_event(thread, 0, depth, pc);
  for (std::uint32_t i = 0; i < depth; ++i) {
    add_to_history(thread, wire::EntryKind::kBegin, thread.blocks[i], i, wire::kIsPart,
                   thread.blocks[i].pc);
  }
  thread.set_state(kUnplaced, true);
}

void abandon_blocks(ThreadState& thread) {
  thread.marks_used = thread.own_depth = thread.sampling.passed_over = 0;
  thread.depth.store(0, std::memory_order_relaxed);
  thread.transaction.store(Transaction::kClosed, std::memory_order_relaxed);
  for (std::uint32_t slot = thread.slot; slot != 0; slot = slots[slot].older) {
    slots[slot].own_from.store(kNever, std::memory_order_relaxed);
  }
  drop_rows(thread);
  drop_findings(thread);
}

}  // namespace omnium::runtime
