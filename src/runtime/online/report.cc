// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/online/report.h"

#include <sched.h>
#include <unistd.h>

#include <cstdio>

#include "runtime/online/finding_draft.h"
#include "runtime/state/modules.h"
#include "runtime/system/channel.h"
#include "runtime/system/mapped.h"
#include "runtime/system/options.h"
#include "runtime/system/print.h"

extern "C" __attribute__((weak)) void __omnium_on_report(unsigned number);

namespace omnium::runtime {

namespace {

// After so many further events of its thread a finding is sent at the latest. They show what the
// block did next.
constexpr std::uint64_t kPatience = 64;

// Messages under construction: one per thread that is in a refuted block.
FindingDraft* free_drafts;

FindingDraft& take_draft() {
  if (free_drafts == nullptr) return *map_array<FindingDraft>(1);
  FindingDraft& draft = *free_drafts;
  free_drafts = draft.next_free;
  return draft;
}

// The findings that were sent, by block, place and kind of the closing dependency. The child of a
// fork goes on with a copy of its own.
struct Known {
  std::uint64_t key;
  std::uint32_t number;
} known[wire::kMaxFindings];

// Counts the finding. Returns whether it is new; then `number` is its number.
bool is_new(std::uint64_t key, std::uint32_t& number) {
  for (Known& entry : known) {
    if (entry.key != 0 && entry.key != key) continue;
    const bool fresh = entry.key == 0;
    if (fresh) entry = {key, counters().numbers.fetch_add(1, std::memory_order_relaxed)};
    number = entry.number;
    if (number >= wire::kMaxFindings) break;
    counters().seen[number].fetch_add(1, std::memory_order_relaxed);
    return fresh;
  }
  counters().more.fetch_add(1, std::memory_order_relaxed);
  return false;
}

std::uint64_t key_of(const OpenBlock& block, const Dependency& closing, const Sink& sink) {
  std::uint64_t key = 0;
  for (const std::uint64_t part :
       {reinterpret_cast<std::uint64_t>(block.name), std::uint64_t{block.function},
        std::uint64_t{sink.pc}, static_cast<std::uint64_t>(closing.kind) + 1}) {
    key = (key ^ part) * 0x9E3779B97F4A7C15u;
    key ^= key >> 31;
  }
  return key | 1;
}

using wire::EntryKind;
using wire::StepKind;

// Could the entry be the source of such a dependency?
bool is_source(EntryKind entry, StepKind step) {
  switch (step) {
    case StepKind::kWriteRead:
    case StepKind::kWriteWrite:
      return entry == EntryKind::kWrite || entry == EntryKind::kAtomicWrite ||
             entry == EntryKind::kWriteRelease || entry == EntryKind::kWriteAcquire;
    case StepKind::kReadWrite:
      return entry == EntryKind::kRead || entry == EntryKind::kAtomicRead ||
             entry == EntryKind::kReadRelease || entry == EntryKind::kReadAcquire;
    case StepKind::kReleaseAcquire: return entry == EntryKind::kRelease;
    case StepKind::kFork: return entry == EntryKind::kFork;
    case StepKind::kMeeting: return entry == EntryKind::kContribute;
    case StepKind::kJoin: return true;
  }
  return false;
}

// Finds the source of the step in the history of its thread.
void find_source(const ThreadState& thread, wire::Step& step) {
  const History& history = thread.history;
  const std::uint64_t now = thread.time();
  for (std::uint64_t i = history.count(); i > history.first(); --i) {
    const HistoryEntry entry = history.at(i - 1, now);
    if (entry.time < step.from_time) return;
    if (entry.time != step.from_time || !is_source(entry.kind, step.kind)) continue;
    const bool touches = step.object < entry.object + (entry.size == 0 ? 1 : entry.size) &&
                         entry.object < step.object + (step.size == 0 ? 1 : step.size);
    if (!touches && step.kind != StepKind::kJoin && step.kind != StepKind::kFork) continue;
    step.from_pc = entry.pc;
    step.from_atomic =
        entry.kind == EntryKind::kAtomicRead || entry.kind == EntryKind::kAtomicWrite;
    return;
  }
}

void add_step(FindingDraft& draft, const ThreadState& from, std::uint64_t from_time,
              const ThreadState& to, std::uint64_t to_time, StepKind kind, const Sink& sink) {
  wire::Step step{};
  step.object = sink.object;
  step.from_time = from_time;
  step.to_time = to_time;
  step.to_pc = sink.pc;
  step.from_thread = draft.thread(from);
  step.to_thread = draft.thread(to);
  step.kind = kind;
  step.to_atomic = sink.atomic;
  step.size = sink.size;
  find_source(from, step);
  draft.step(step);
  draft.heap_block(step.object);
}

// Copies the histories of the other threads now, before they are overwritten. That of the thread
// itself follows when the finding is sent.
void finish(ThreadState& thread, FindingDraft& draft, std::uint32_t number, bool increasing) {
  draft.other_histories(thread);
  draft.stack();
  const std::uint64_t closing = thread.history.count();
  thread.pending = {&draft,     number,  thread.depth.load(std::memory_order_relaxed),
                    increasing, closing, closing + kPatience};
}

void release(FindingDraft& draft) {
  draft.next_free = free_drafts;
  free_drafts = &draft;
}

void send_now(ThreadState& thread) {
  const PendingFinding pending = thread.pending;
  if (pending.draft == nullptr) return;
  thread.pending.draft = nullptr;
  pending.draft->own_history(thread, pending.closing);
  send_modules();
  pending.draft->send(pending.number, thread, pending.increasing);
  release(*pending.draft);
  if (__omnium_on_report != nullptr) __omnium_on_report(pending.number);
  if (options.flag(options.halt_on_error)) {
    close_channel();
    std::fflush(nullptr);
    end_process(options.exit_status());
  }
}

void add_closing_step(FindingDraft& draft, const ThreadState& thread, const Dependency& closing,
                      const Sink& sink) {
  // The time that the event will have: time has not advanced yet.
  const std::uint64_t time = thread.time() + (thread.is_dirty() ? 1 : 0);
  add_step(draft, *closing.source, closing.time, thread, time, closing.kind, sink);
}

// Adds the blocks of the transaction, and marks those that the dependency refutes: `innermost` and
// some around it.
void add_blocks(FindingDraft& draft, ThreadState& thread, std::uint32_t innermost,
                const Dependency& closing) {
  for (std::uint32_t i = 0; i < thread.depth.load(std::memory_order_relaxed); ++i) {
    const ReachRow* row = i < thread.row_count ? thread.rows[i] : nullptr;
    const bool refuted =
        i <= innermost && row != nullptr && row->reaches_event(*closing.source, closing.time);
    if (refuted) thread.blocks[i].refuted = true;
    draft.block(thread.blocks[i], refuted);
  }
}

// Do the links of the row lead from the thread back to the owner of the row? They may not if a
// state on the way was given to a new thread, which the row may have reached anew: then they form a
// circle.
bool leads_back(const ReachRow& row, std::uint32_t at) {
  for (std::uint32_t steps = 0; steps < kMaxThreads; ++steps) {
    if (at == row.owner->index) return true;
    at = row.event[at].from;
  }
  return false;
}

}  // namespace

void report_violation(ThreadState& thread, const ReachRow& row, const Dependency& closing,
                      const Sink& sink) {
  OpenBlock& block = thread.blocks[row.depth];
  if (block.refuted || block.doubtful) return;
  if (!leads_back(row, closing.source->index)) return count_forgotten();
  std::uint32_t number;
  if (!is_new(key_of(block, closing, sink), number)) {
    block.refuted = true;
    return;
  }
  send_now(thread);
  FindingDraft& draft = take_draft();
  draft.clear();
  for (std::uint32_t at = closing.source->index; at != thread.index; at = row.event[at].from) {
    draft.thread(thread_at(at));
  }
  add_closing_step(draft, thread, closing, sink);
  for (std::uint32_t at = closing.source->index; at != thread.index; at = row.event[at].from) {
    const ReachLink& link = row.event[at];
    add_step(draft, thread_at(link.from), link.from_time, thread_at(at), link.time, link.kind,
             {link.object, link.pc, link.size, link.atomic});
  }
  draft.reverse_steps();
  add_blocks(draft, thread, row.depth, closing);
  finish(thread, draft, number, true);
}

namespace {

// The cycle consists of transactions that this one reaches. Which of them is known only from their
// histories, so the histories of all of them are needed.
void add_reached_threads(FindingDraft& draft, const ReachRow& row) {
  for (std::uint32_t i = 0; i < thread_count(); ++i) {
    const std::uint64_t start = row.txn_reached(i);
    if (start != kNotReached && &thread_at(i) != row.owner) draft.needs(thread_at(i), start);
  }
}

}  // namespace

void report_cycle(ThreadState& thread, const Dependency& closing, const Sink& sink) {
  std::uint32_t number;
  if (!is_new(key_of(thread.blocks[0], closing, sink) ^ 2, number)) return;
  send_now(thread);
  FindingDraft& draft = take_draft();
  draft.clear();
  add_reached_threads(draft, *thread.rows[0]);
  add_closing_step(draft, thread, closing, sink);
  add_blocks(draft, thread, 0, closing);
  finish(thread, draft, number, false);
}

void send_pending(ThreadState& thread) {
  const SpinGuard guard(reach_lock);
  send_now(thread);
}

void send_all_pending() {
  for (int tries = 0; !reach_lock.try_lock(); ++tries) {
    if (tries == 10000) return;  // the thread that crashed may hold the lock
    sched_yield();
  }
  for (std::uint32_t i = 0; i < thread_count(); ++i) send_now(thread_at(i));
  reach_lock.unlock();
}

void drop_pending(ThreadState& thread) {
  const SpinGuard guard(reach_lock);
  if (thread.pending.draft != nullptr) release(*thread.pending.draft);
  thread.pending.draft = nullptr;
}

}  // namespace omnium::runtime
