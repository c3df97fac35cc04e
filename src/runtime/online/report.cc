// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/online/report.h"

#include <sched.h>
#include <unistd.h>

#include <cstdio>

#include "runtime/online/finding_message.h"
#include "runtime/state/modules.h"
#include "runtime/system/channel.h"
#include "runtime/system/mapped.h"
#include "runtime/system/options.h"
#include "runtime/system/print.h"

extern "C" __attribute__((weak)) void __omnium_on_report(unsigned number);

namespace omnium::runtime {

namespace {

// How many events of its thread a finding waits for: what comes next makes the picture whole.
constexpr std::uint64_t kPatience = 64;

// Messages under construction: one per thread that is in a refuted block.
FindingMessage* free_messages;

FindingMessage& take_message() {
  if (free_messages == nullptr) return *map_array<FindingMessage>(1);
  FindingMessage& message = *free_messages;
  free_messages = message.next_free;
  return message;
}

// Which findings were sent: by block, place and kind of the closing dependency. A forked child goes
// on with its own copy.
struct Known {
  std::uint64_t key;
  std::uint32_t number;
} known[wire::kMaxFindings];

// Counts the finding; its number if it is a new one.
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

// Looks the source up in its thread's history.
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

void add_step(FindingMessage& message, const ThreadState& from, std::uint64_t from_time,
              const ThreadState& to, std::uint64_t to_time, StepKind kind, const Sink& sink) {
  wire::Step step{};
  step.object = sink.object;
  step.from_time = from_time;
  step.to_time = to_time;
  step.to_pc = sink.pc;
  step.from_thread = message.thread(from);
  step.to_thread = message.thread(to);
  step.kind = kind;
  step.to_atomic = sink.atomic;
  step.size = sink.size;
  find_source(from, step);
  message.step(step);
  message.heap_block(step.object);
}

// What the threads did is copied now, before they run on; the thread itself is in the middle of it.
void finish(ThreadState& thread, FindingMessage& message, std::uint32_t number, bool increasing) {
  message.other_histories(thread);
  message.stack();
  thread.pending = {&message, number, thread.depth.load(std::memory_order_relaxed), increasing,
                    thread.history.count() + kPatience};
}

void release(FindingMessage& message) {
  message.next_free = free_messages;
  free_messages = &message;
}

void send_now(ThreadState& thread) {
  const PendingFinding pending = thread.pending;
  if (pending.message == nullptr) return;
  thread.pending.message = nullptr;
  pending.message->own_history(thread);
  send_modules();
  pending.message->send(pending.number, thread, pending.increasing);
  release(*pending.message);
  if (__omnium_on_report != nullptr) __omnium_on_report(pending.number);
  if (options.flag(options.halt_on_error)) {
    close_channel();
    std::fflush(nullptr);
    end_process(options.exit_status());
  }
}

void add_closing_step(FindingMessage& message, const ThreadState& thread, const Dependency& closing,
                      const Sink& sink) {
  // The time that the event is going to have: it has not advanced yet.
  const std::uint64_t time = thread.time() + (thread.is_dirty() ? 1 : 0);
  add_step(message, *closing.source, closing.time, thread, time, closing.kind, sink);
}

// The blocks of the transaction. Those from `innermost` outwards that the dependency refutes too.
void add_blocks(FindingMessage& message, ThreadState& thread, std::uint32_t innermost,
                const Dependency& closing) {
  for (std::uint32_t i = 0; i < thread.depth.load(std::memory_order_relaxed); ++i) {
    const ReachRow* row = i < thread.row_count ? thread.rows[i] : nullptr;
    const bool refuted =
        i <= innermost && row != nullptr && row->reaches_event(*closing.source, closing.time);
    if (refuted) thread.blocks[i].refuted = true;
    message.block(thread.blocks[i], refuted);
  }
}

// Do the links of the row lead back from the column to its owner? Not if a column on the way was
// given to a new thread, which may have been reached from here: then they go round in a circle.
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
  FindingMessage& message = take_message();
  message.clear();
  for (std::uint32_t at = closing.source->index; at != thread.index; at = row.event[at].from) {
    message.thread(thread_at(at));
  }
  add_closing_step(message, thread, closing, sink);
  for (std::uint32_t at = closing.source->index; at != thread.index; at = row.event[at].from) {
    const ReachLink& link = row.event[at];
    add_step(message, thread_at(link.from), link.from_time, thread_at(at), link.time, link.kind,
             {link.object, link.pc, link.size, link.atomic});
  }
  message.reverse_steps();
  add_blocks(message, thread, row.depth, closing);
  finish(thread, message, number, true);
}

namespace {

// Every transaction between the two ends of the closing dependency is one that this one reaches.
// Which of them make the cycle, their histories tell.
void add_reached_threads(FindingMessage& message, const ReachRow& row) {
  for (std::uint32_t i = 0; i < thread_count(); ++i) {
    const std::uint64_t start = row.txn_reached(i);
    if (start != kNotReached && &thread_at(i) != row.owner) message.needs(thread_at(i), start);
  }
}

}  // namespace

void report_cycle(ThreadState& thread, const Dependency& closing, const Sink& sink) {
  std::uint32_t number;
  if (!is_new(key_of(thread.blocks[0], closing, sink) ^ 2, number)) return;
  send_now(thread);
  FindingMessage& message = take_message();
  message.clear();
  add_reached_threads(message, *thread.rows[0]);
  add_closing_step(message, thread, closing, sink);
  add_blocks(message, thread, 0, closing);
  finish(thread, message, number, false);
}

void send_pending(ThreadState& thread) {
  const SpinGuard guard(reach_lock);
  send_now(thread);
}

void send_all_pending() {
  for (int tries = 0; !reach_lock.try_lock(); ++tries) {
    if (tries == 10000) return;  // the thread that crashed may hold it
    sched_yield();
  }
  for (std::uint32_t i = 0; i < thread_count(); ++i) send_now(thread_at(i));
  reach_lock.unlock();
}

void drop_pending(ThreadState& thread) {
  const SpinGuard guard(reach_lock);
  if (thread.pending.message != nullptr) release(*thread.pending.message);
  thread.pending.message = nullptr;
}

}  // namespace omnium::runtime
