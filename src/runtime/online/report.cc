// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/online/report.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>

#include "runtime/online/finding_draft.h"
#include "runtime/online/found.h"
#include "runtime/state/modules.h"
#include "runtime/state/refuted_functions.h"
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

FindingDraft* free_drafts;  // to use again; under the lock of the reach engine

FindingDraft& take_draft() {
  if (free_drafts == nullptr) return *map_array<FindingDraft>(1);
  FindingDraft& draft = *free_drafts;
  free_drafts = draft.next;
  return draft;
}

void give_back(FindingDraft& draft) {
  draft.next = free_drafts;
  free_drafts = &draft;
}

constexpr std::uint64_t kForgotten = 2;  // keys are odd

// The findings that were sent, by block, place and kind of the closing dependency. The child of a
// fork goes on with a copy of its own.
struct Known {
  std::uint64_t key;
  std::uint32_t number;
  std::uint32_t links;  // between the block and the source of the closing dependency
  std::uint32_t tries;  // how often a shorter cycle was looked for
} known[wire::kMaxFindings];

constexpr std::uint32_t kFewestLinks = 1, kUnknownLinks = ~0u;
constexpr std::uint32_t kMostTries = 100;  // a look takes time

// The entry of the key, or the one that it gets; null if there is no room.
Known* find_known(std::uint64_t key) {
  for (Known& entry : known) {
    if (entry.key == key || entry.key == 0) return &entry;
  }
  return nullptr;
}

// Could the finding still be told: for the first time, or by a shorter cycle than before?
bool may_be_told(Known* entry, std::uint64_t key) {
  if (entry == nullptr) return false;
  return entry->key != key || (entry->links > kFewestLinks && entry->tries++ < kMostTries);
}

// Counts the finding, whose cycle has so many links if that is known. Returns whether it is to be
// told; then it has a new number.
bool count(Known* entry, std::uint64_t key, std::uint32_t links) {
  const bool told = entry != nullptr && (entry->key != key || links < entry->links);
  if (told) {
    const std::uint32_t number = counters().numbers.fetch_add(1, std::memory_order_relaxed);
    *entry = {key, number, links, entry->tries};
  }
  if (entry == nullptr || entry->number >= wire::kMaxFindings) {
    counters().more.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  counters().seen[entry->number].fetch_add(1, std::memory_order_relaxed);
  return told;
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
             entry == EntryKind::kUpdate || entry == EntryKind::kWriteRelease ||
             entry == EntryKind::kWriteAcquire;
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

// Finds the source of the step in the history of its thread, and its transaction if that is not
// known.
void find_source(const ThreadState& thread, wire::Step& step, TxnRef& txn) {
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
    step.from_access = wire::atomicity_of(entry.kind);
    if (txn.known == TxnRef::Known::kNothing) txn = txn_before(thread, i);
    return;
  }
}

// One end of a step.
struct End {
  ThreadRef thread;
  std::uint64_t time;
  TxnRef txn;
};

void add_step(FindingDraft& draft, End from, const End& to, StepKind kind, const Sink& sink) {
  wire::Step step{};
  step.object = sink.object;
  step.from_time = from.time;
  step.to_time = to.time;
  step.to_pc = sink.pc;
  step.from_thread = draft.thread(from.thread);
  step.to_thread = draft.thread(to.thread);
  step.kind = kind;
  step.to_access = sink.atomicity;
  step.size = sink.size;
  if (is_current(from.thread)) find_source(thread_at(from.thread.index), step, from.txn);
  step.from_txn = draft.txn(from.thread, from.txn);
  step.to_txn = draft.txn(to.thread, to.txn);
  draft.step(step);
}

// The source of a dependency that goes on from where `last` arrived. If it is earlier than the
// arrival, both are events of the transaction that was reached; so are they if the transaction is
// still open.
End source_after(const ReachLink& last, ThreadRef thread, std::uint64_t time, const TxnRef& txn) {
  const bool in_same = txn.known == TxnRef::Known::kNothing && time < last.time;
  return {thread, time, in_same ? last.txn : txn};
}

// The steps of the cycle: along the path, and then the dependency that closes it. The violating
// thread must be the last one of the message, although the path may lead through an earlier
// transaction of it.
void add_steps(FindingDraft& draft, const ThreadState& thread, const ReachRow& row,
               const ReachPath& path, const Dependency& closing, const Sink& sink) {
  // The time that the event will have: time has not advanced yet.
  const std::uint64_t now = thread.time() + (thread.is_dirty() ? 1 : 0);
  const bool shown = path.complete && path.count <= FindingDraft::kLongestPath;
  if (!shown) draft.is_incomplete();
  const std::uint32_t count = shown ? path.count : 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const ThreadRef on_the_way = row.link(path.links[i]).thread;
    if (on_the_way != ref(thread)) draft.thread(on_the_way);
  }
  draft.thread(ref(*closing.source));
  const ReachLink* last = &row.link(0);
  for (std::uint32_t i = 0; i < count; ++i) {
    const ReachLink& link = row.link(path.links[i]);
    add_step(draft, source_after(*last, link.from, link.from_time, link.from_txn),
             {link.thread, link.time, link.txn}, link.kind,
             {link.object, link.pc, link.size, link.atomicity});
    last = &link;
  }
  add_step(draft, source_after(*last, ref(*closing.source), closing.time, closing.txn),
           {ref(thread), now, {}}, closing.kind, sink);
}

bool is_function(const OpenBlock& block) { return block.name == nullptr; }

// The function was reported before. Those around it are refuted too, by the same events: that says
// nothing new about them.
void refute_silently(ThreadState& thread, std::uint32_t innermost, const Dependency& closing) {
  for (std::uint32_t i = 0; i <= innermost; ++i) {
    const ReachRow* row = i < thread.row_count ? thread.rows[i] : nullptr;
    if (row == nullptr || !row->reaches_event(*closing.source, closing.time)) continue;
    thread.blocks[i].refuted = true;
    if (is_function(thread.blocks[i])) note_refuted(thread.blocks[i].function);
  }
}

// Adds the blocks of the transaction, and marks those that the dependency refutes: `innermost` and
// some around it.
void add_blocks(FindingDraft& draft, ThreadState& thread, std::uint32_t innermost,
                const Dependency& closing) {
  for (std::uint32_t i = 0; i < thread.depth.load(std::memory_order_relaxed); ++i) {
    const ReachRow* row = i < thread.row_count ? thread.rows[i] : nullptr;
    const bool refuted =
        i <= innermost && row != nullptr && row->reaches_event(*closing.source, closing.time);
    if (refuted) {
      thread.blocks[i].refuted = true;
      if (options.refines && is_function(thread.blocks[i])) {
        note_refuted(thread.blocks[i].function);
        drop_function(thread.blocks[i].function);
      }
    }
    draft.block(thread.blocks[i], refuted);
  }
}

// The thread has done what its report shows; the message is ready to be sent.
void make_ready(ThreadState& thread) {
  Findings& findings = thread.findings;
  if (findings.waiting == nullptr) return;
  findings.waiting->next_events(thread, findings.closing);
  findings.waiting->next = findings.ready;
  findings.ready = findings.waiting;
  findings.waiting = nullptr;
}

// The histories of all threads are copied now, before they are overwritten.
void keep(ThreadState& thread, FindingDraft& draft) {
  make_ready(thread);
  note_found(draft);
  draft.histories(thread);
  const std::uint64_t closing = thread.history.count();
  thread.findings.waiting = &draft;
  thread.findings.depth = thread.depth.load(std::memory_order_relaxed);
  thread.findings.closing = closing;
  thread.findings.until = closing + kPatience;
  thread.findings.any = true;
}

// As above, for a finding that may turn out to be none.
void hold(ThreadState& thread, FindingDraft& draft) {
  draft.histories(thread);
  draft.next = thread.findings.held;
  thread.findings.held = &draft;
}

// Nothing of this number was found.
void forget_number(std::uint32_t number) {
  counters().seen[number].store(0, std::memory_order_relaxed);
  for (Known& entry : known) {
    if (entry.key != 0 && entry.number == number) entry.key = kForgotten;
  }
}

// Must be called under the lock.
void discard_held(ThreadState& thread) {
  while (thread.findings.held != nullptr) {
    FindingDraft& draft = *thread.findings.held;
    thread.findings.held = draft.next;
    forget_number(draft.number());
    give_back(draft);
  }
}

// Must be called under the lock.
void release_held(ThreadState& thread) {
  while (thread.findings.held != nullptr) {
    FindingDraft* const draft = thread.findings.held;
    note_found(*draft);
    thread.findings.held = draft->next;
    draft->next = thread.findings.ready;
    thread.findings.ready = draft;
  }
  thread.findings.any = true;
}

// Does one function all the work of the thread, in a loop?
bool does_all_work(const ThreadState& thread) {
  return thread.body_calls == 1 && thread.body_callee_sites.repeated();
}

// The thread or its body ends, so that it is clear whether what may be no block is one: another
// thread may have shown that it is none. Must be called under the lock.
void settle_held(ThreadState& thread) {
  const bool is_block = options.block_mode == Blocks::kFunctions && !does_all_work(thread) &&
                        !is_body(thread.body_callee);
  is_block ? release_held(thread) : discard_held(thread);
}

ReachPath path = {};  // under the lock of the reach engine

// Does the path come back to a transaction that it left, or to an earlier one of the same thread?
// Then there is a cycle without its end, which was found when its last dependency came.
bool contains_cycle(const ReachRow& row) {
  const auto link_at = [&](std::uint32_t i) -> const ReachLink& {
    return row.link(i == 0 ? 0 : path.links[i - 1]);
  };
  for (std::uint32_t i = 1; i <= path.count; ++i) {
    for (std::uint32_t j = 0; j < i; ++j) {
      const ReachLink &later = link_at(i), &earlier = link_at(j);
      if (later.thread == earlier.thread && later.txn.start <= earlier.txn.start) return true;
    }
  }
  return false;
}

// Is the transaction one that refinement does not take for atomic any more, or perhaps not? A
// function that was refuted only because it calls another is none either, in whatever it does.
bool is_no_block(ThreadRef thread, const TxnRef& txn) {
  if (txn.known != TxnRef::Known::kBlock || txn.name != nullptr) return false;
  if (is_known_not_atomic(txn.function)) return true;
  if (!is_current(thread)) return false;
  const ThreadState& state = thread_at(thread.index);
  return state.blocks[0].at_risk && state.start.load(std::memory_order_relaxed) == txn.start;
}

// Does the cycle need a transaction that is none?
bool visits_no_block(const ThreadState& thread, const ReachRow& row) {
  if (is_no_block(ref(thread), open_txn(thread))) return true;
  for (std::uint32_t i = 0; i < path.count; ++i) {
    const ReachLink& link = row.link(path.links[i]);
    if (is_no_block(link.from, link.from_txn) || is_no_block(link.thread, link.txn)) return true;
  }
  return false;
}

}  // namespace

bool report_violation(ThreadState& thread, const ReachRow& row, const Dependency& closing,
                      const Sink& sink) {
  OpenBlock& block = thread.blocks[row.depth];
  if (block.refuted || block.doubtful) return false;
  if (options.refines && is_function(block) && is_dropped(block.function)) {
    refute_silently(thread, row.depth, closing);
    return false;
  }
  const std::uint64_t key = key_of(block, closing, sink);
  Known* const entry = find_known(key);
  std::uint32_t links = kUnknownLinks;
  if (may_be_told(entry, key)) {
    row.find_event_path(*closing.source, path);
    if (path.complete) links = path.count;
  }
  if (!count(entry, key, links)) {
    block.refuted = true;
    return false;
  }
  FindingDraft& draft = take_draft();
  draft.start(entry->number, true);
  add_steps(draft, thread, row, path, closing, sink);
  add_blocks(draft, thread, row.depth, closing);
  block.at_risk ? hold(thread, draft) : keep(thread, draft);
  return true;
}

bool report_cycle(ThreadState& thread, const Dependency& closing, const Sink& sink) {
  for (std::uint32_t i = 0; i < thread.depth.load(std::memory_order_relaxed); ++i) {
    if (thread.blocks[i].refuted) return false;  // the transaction is to blame, and that is known
  }
  const ReachRow& row = *thread.rows[0];
  const std::uint64_t key = key_of(thread.blocks[0], closing, sink) ^ 2;
  Known* const entry = find_known(key);
  std::uint32_t links = kUnknownLinks;
  if (may_be_told(entry, key)) {
    row.find_txn_path(*closing.source, closing.time, path);
    if (contains_cycle(row) || (options.refines && visits_no_block(thread, row))) return false;
    if (path.complete) links = path.count;
  }
  if (!count(entry, key, links)) return false;
  FindingDraft& draft = take_draft();
  draft.start(entry->number, false);
  add_steps(draft, thread, row, path, closing, sink);
  add_blocks(draft, thread, 0, closing);
  thread.blocks[0].at_risk ? hold(thread, draft) : keep(thread, draft);
  return true;
}

void add_stack(ThreadState& thread) {
  if (thread.findings.waiting != nullptr) thread.findings.waiting->stack();
}

namespace {

void send(FindingDraft& draft) {
  send_modules();
  draft.send();
  if (__omnium_on_report != nullptr) __omnium_on_report(draft.number());
  if (!options.flag(options.halt_on_error)) return;
  close_channel();
  std::fflush(nullptr);
  end_process(options.exit_status());
}

// Sends the drafts of a list, in the order in which they were found. The caller has taken them from
// their thread.
void send_list(FindingDraft* drafts) {
  FindingDraft* oldest = nullptr;
  while (drafts != nullptr) {
    FindingDraft* const next = drafts->next;
    drafts->next = oldest;
    oldest = drafts;
    drafts = next;
  }
  while (oldest != nullptr) {
    FindingDraft& draft = *oldest;
    oldest = draft.next;
    send(draft);
    const SpinGuard guard(reach_lock);
    give_back(draft);
  }
}

// Must be called under the lock.
FindingDraft* take_ready(ThreadState& thread) {
  FindingDraft* const ready = thread.findings.ready;
  thread.findings.ready = nullptr;
  thread.findings.any = thread.findings.waiting != nullptr;
  return ready;
}

}  // namespace

void end_findings(ThreadState& thread) {
  const SpinGuard guard(reach_lock);
  make_ready(thread);
}

void send_findings(ThreadState& thread) {
  FindingDraft* ready;
  {
    const SpinGuard guard(reach_lock);
    if (thread.history.count() > thread.findings.until) make_ready(thread);
    ready = take_ready(thread);
  }
  send_list(ready);
}

void send_all_findings() {
  for (std::uint32_t i = 0; i < thread_count(); ++i) {
    ThreadState& thread = thread_at(i);
    if (!thread.findings.any && thread.findings.held == nullptr) continue;
    for (int tries = 0; !reach_lock.try_lock(); ++tries) {
      if (tries == 10000) return;  // the thread that crashed may hold the lock
      syscall(SYS_sched_yield);    // the function is interposed
    }
    settle_held(thread);
    make_ready(thread);
    FindingDraft* const ready = take_ready(thread);
    reach_lock.unlock();
    send_list(ready);
  }
}

void settle_held_findings(ThreadState& thread) {
  const bool does_all = options.refines && does_all_work(thread);
  if (thread.findings.held == nullptr && !does_all) return;
  const SpinGuard guard(reach_lock);
  settle_held(thread);
  if (does_all) note_body(thread.body_callee);
}

void release_findings(ThreadState& thread) {
  for (std::uint32_t i = 0; i < thread.depth.load(std::memory_order_relaxed); ++i) {
    thread.blocks[i].at_risk = false;
  }
  if (thread.findings.held == nullptr) return;
  const SpinGuard guard(reach_lock);
  release_held(thread);
}

void send_refuted_functions() {
  static struct {
    wire::Header header;
    std::uint64_t functions[wire::kMaxRefuted];
  } message;
  const std::size_t count = refuted_functions(message.functions, wire::kMaxRefuted);
  if (count == 0) return;
  message.header = header(wire::Type::kRefuted);
  send_modules();
  send_message(&message, sizeof(message.header) + count * sizeof(*message.functions));
}

void drop_findings(ThreadState& thread) {
  const SpinGuard guard(reach_lock);
  while (thread.findings.held != nullptr) {
    FindingDraft* const next = thread.findings.held->next;
    give_back(*thread.findings.held);
    thread.findings.held = next;
  }
  if (thread.findings.waiting != nullptr) give_back(*thread.findings.waiting);
  while (thread.findings.ready != nullptr) {
    FindingDraft* const next = thread.findings.ready->next;
    give_back(*thread.findings.ready);
    thread.findings.ready = next;
  }
  thread.findings = {};
}

}  // namespace omnium::runtime
