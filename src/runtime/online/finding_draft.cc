// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/online/finding_draft.h"

#include <unwind.h>

#include "runtime/state/heap.h"
#include "runtime/state/modules.h"
#include "runtime/system/channel.h"
#include "runtime/system/options.h"

namespace omnium::runtime {

namespace {

std::uint64_t least(std::uint64_t a, std::uint64_t b) { return a < b ? a : b; }

struct Trace {
  std::uint64_t* frames;
  std::uint32_t count, most;
};

_Unwind_Reason_Code add_frame(_Unwind_Context* context, void* argument) {
  auto& trace = *static_cast<Trace*>(argument);
  const Pc pc = _Unwind_GetIP(context);
  // The innermost frames are the runtime's own.
  if (trace.count == 0 && !is_program_code(pc)) return _URC_NO_REASON;
  trace.frames[trace.count++] = pc;
  return trace.count == trace.most ? _URC_END_OF_STACK : _URC_NO_REASON;
}

}  // namespace

TxnRef txn_before(const ThreadState& thread, std::uint64_t index) {
  const History& history = thread.history;
  const std::uint64_t now = thread.time();
  TxnRef txn{};
  if (history.first() == 0) txn.known = TxnRef::Known::kNoBlock;
  for (std::uint64_t i = index; i > history.first(); --i) {
    const HistoryEntry entry = history.at(i - 1, now);
    if (entry.kind > wire::EntryKind::kEnd || (entry.size & wire::kIsOutermost) == 0) continue;
    txn.known = TxnRef::Known::kNoBlock;
    if (entry.kind == wire::EntryKind::kEnd) break;
    const bool function = (entry.size & wire::kIsFunction) != 0;
    txn = {TxnRef::Known::kBlock, function ? nullptr : reinterpret_cast<const char*>(entry.object),
           function ? entry.object : 0, entry.pc, entry.time};
    if (i - 1 < history.first()) txn = {};  // overwritten meanwhile
    break;
  }
  return txn;
}

void FindingDraft::start(std::uint32_t number, bool increasing) {
  number_ = number;
  increasing_ = increasing;
  complete_ = true;
  thread_count_ = label_count_ = block_count_ = txn_count_ = step_count_ = entry_count_ = 0;
  heap_count_ = stack_count_ = closing_entry_ = 0;
  strings_[0] = '\0';  // offset 0: no name
  string_bytes_ = 1;
}

std::uint32_t FindingDraft::string(const char* text) {
  const std::size_t length = std::strlen(text) + 1;
  if (length == 1 || string_bytes_ + length > kStrings) return 0;
  std::memcpy(strings_ + string_bytes_, text, length);
  string_bytes_ += static_cast<std::uint32_t>(length);
  return string_bytes_ - static_cast<std::uint32_t>(length);
}

std::uint32_t FindingDraft::thread(ThreadRef thread) {
  for (std::uint32_t i = 0; i < thread_count_; ++i) {
    if (threads_[i].number == thread.number) return i;
  }
  states_[thread_count_] = nullptr;
  threads_[thread_count_] = {0, 0, 0, thread.number, 0, wire::kUnknownTxn, 0};
  if (is_current(thread)) {
    const ThreadState& state = thread_at(thread.index);
    states_[thread_count_] = &state;
    threads_[thread_count_] = {state.start_function,
                               state.stack_begin,
                               state.stack_end,
                               thread.number,
                               string(state.name),
                               wire::kUnknownTxn,
                               0};
  } else if (PastThread past; find_past_thread(thread.number, past)) {
    threads_[thread_count_] = {past.start_function,
                               past.stack_begin,
                               past.stack_end,
                               thread.number,
                               string(past.name),
                               wire::kUnknownTxn,
                               0};
  }
  return thread_count_++;
}

std::uint32_t FindingDraft::txn(ThreadRef thread, const TxnRef& txn) {
  if (txn.known == TxnRef::Known::kNothing) return wire::kUnknownTxn;
  if (txn.known == TxnRef::Known::kNoBlock) return wire::kNoTxn;
  const std::uint32_t index = this->thread(thread);
  for (std::uint32_t i = 0; i < txn_count_; ++i) {
    if (txns_[i].thread == index && txns_[i].begin_time == txn.start) return i;
  }
  const std::uint32_t name = label(txn.name, txn.function);
  if (txn_count_ == kTxns || name == kNoLabel) return wire::kUnknownTxn;
  txns_[txn_count_] = {txn.start, txn.pc, index, name};
  return txn_count_++;
}

std::uint32_t FindingDraft::label(const char* name, Pc function) {
  for (std::uint32_t i = 0; i < label_count_; ++i) {
    const bool same = name == nullptr ? labels_[i].function == function
                                      : labels_[i].function == 0 &&
                                            std::strcmp(strings_ + labels_[i].name, name) == 0;
    if (same) return i;
  }
  if (label_count_ == kLabels) return kNoLabel;
  wire::Label label{function, 0, 0};
  if (name != nullptr) {
    label = {0, string(name), 0};
    if (label.name == 0 && name[0] != '\0') return kNoLabel;
  }
  labels_[label_count_] = label;
  return label_count_++;
}

void FindingDraft::block(const OpenBlock& block, bool refuted) {
  std::uint32_t name = label(block.name, block.function);
  if (name == kNoLabel) name = label("", 0);  // its name is too long for the message
  blocks_[block_count_++] = {name, refuted, block.begin.load(std::memory_order_relaxed), block.pc,
                             block.waited_pc};
}

bool FindingDraft::heap_block(std::uint64_t object) {
  if (heap_count_ == kHeapBlocks) return false;
  for (std::uint32_t i = 0; i < heap_count_; ++i) {
    if (object - heap_blocks_[i].address < heap_blocks_[i].size) return true;
  }
  if (!find_heap_block(object, heap_blocks_[heap_count_])) return false;
  ++heap_count_;
  return true;
}

bool FindingDraft::has_other_name(std::uint64_t object) const {
  if (is_program_code(object)) return true;  // a global variable of a module
  for (std::uint32_t i = 0; i < thread_count_; ++i) {
    if (threads_[i].stack_begin <= object && object < threads_[i].stack_end) return true;
  }
  return false;
}

// Steps are often about locks. The data that the locks protect is in the histories. There may be
// more data than the message has room for, so the locks, which are few, have their turn before.
void FindingDraft::add_heap_blocks(wire::EntryKind first, wire::EntryKind last) {
  constexpr int kMostMisses = 16;  // each miss is a long search
  std::uint64_t missed = 0;
  int misses = 0;
  for (std::uint32_t i = 0; i < entry_count_ && misses < kMostMisses; ++i) {
    const wire::Entry& entry = entries_[i];
    if (entry.kind < first || entry.kind > last) continue;
    if (entry.object == missed || has_other_name(entry.object)) continue;
    if (heap_block(entry.object)) continue;
    missed = entry.object;
    ++misses;
  }
}

void FindingDraft::stack() {
  Trace trace{stack_, 0, kStack};
  _Unwind_Backtrace(add_frame, &trace);
  stack_count_ = trace.count;
}

// The first time of the thread that the message is about.
std::uint64_t FindingDraft::needed_from(std::uint32_t index) const {
  std::uint64_t from = kNotReached;
  for (std::uint32_t i = 0; i < step_count_; ++i) {
    if (steps_[i].from_thread == index) from = least(from, steps_[i].from_time);
    if (steps_[i].to_thread == index) from = least(from, steps_[i].to_time);
  }
  for (std::uint32_t i = 0; i < txn_count_; ++i) {
    if (txns_[i].thread == index) from = least(from, txns_[i].begin_time);
  }
  return from;
}

std::size_t FindingDraft::room_for_entries() const {
  const std::size_t rest = sizeof(wire::Finding) + thread_count_ * sizeof(*threads_) +
                           sizeof(labels_) + block_count_ * sizeof(*blocks_) +
                           txn_count_ * sizeof(*txns_) + step_count_ * sizeof(*steps_) +
                           sizeof(heap_blocks_) + sizeof(stack_) + sizeof(strings_);
  return least(kEntries, (sizeof(packet_) - rest) / sizeof(*entries_));
}

std::uint64_t FindingDraft::copy(std::uint32_t index, std::uint64_t begin, std::uint64_t end,
                                 std::uint64_t now) {
  const History& history = states_[index]->history;
  const std::uint32_t first_entry = entry_count_;
  for (std::uint64_t i = begin; i < end && entry_count_ < kEntries; ++i) {
    const HistoryEntry entry = history.at(i, now);
    std::uint64_t object = entry.object;
    const wire::EntryKind kind = entry.kind;
    if (kind == wire::EntryKind::kBegin || kind == wire::EntryKind::kEnd) {
      object = (entry.size & wire::kIsFunction) != 0
                   ? label(nullptr, object)
                   : label(reinterpret_cast<const char*>(object), 0);
      if (object == kNoLabel) {  // there are too many: what is before it is left out
        entry_count_ = first_entry;
        begin = i + 1;
        continue;
      }
    }
    entries_[entry_count_++] = {object, entry.pc, entry.time, entry.stamp,
                                index,  kind,     entry.size, 0};
  }
  // The thread may have gone on and overwritten entries while they were copied.
  const std::uint64_t still = history.first();
  if (still > begin) {
    const std::uint64_t lost = still - begin;
    const std::uint32_t copied = entry_count_ - first_entry;
    const auto kept = static_cast<std::uint32_t>(lost < copied ? copied - lost : 0);
    std::memmove(entries_ + first_entry, entries_ + entry_count_ - kept, kept * sizeof(*entries_));
    entry_count_ = first_entry + kept;
    begin = still;
  }
  return begin;
}

void FindingDraft::history(std::uint32_t index, std::size_t most) {
  const History& history = states_[index]->history;
  const std::uint64_t from_time = needed_from(index);
  const std::uint64_t end = history.count();
  const std::uint64_t now = states_[index]->time();
  std::uint64_t begin = end;
  // Goes back to the time that is asked for, and further to the begin of the blocks around it.
  bool reached = false;
  while (begin > history.first() && end - begin < most) {
    const HistoryEntry entry = history.at(begin - 1, now);
    if (entry.time < from_time) reached = true;
    if (reached && entry.kind == wire::EntryKind::kEnd) break;
    --begin;
    if (reached && entry.kind == wire::EntryKind::kBegin && end - begin > 64) break;
  }
  const std::uint64_t copied = copy(index, begin, end, now);
  threads_[index].txn = txn({0, threads_[index].number}, txn_before(*states_[index], copied));
}

void FindingDraft::histories(const ThreadState& violating) {
  const std::size_t most = (room_for_entries() - kNextEvents) / thread_count_;
  for (std::uint32_t i = 0; i < thread_count_; ++i) {
    if (states_[i] != nullptr && states_[i] != &violating) history(i, most);
  }
  history(thread(ref(violating)), most);
  closing_entry_ = entry_count_;
}

void FindingDraft::next_events(const ThreadState& violating, std::uint64_t closing) {
  const History& history = violating.history;
  if (closing < history.first()) return;  // overwritten
  const std::uint64_t end = least(history.count(), closing + kNextEvents);
  copy(thread_count_ - 1, closing, end, violating.time());
  if (closing < history.first()) entry_count_ = closing_entry_;
}

void FindingDraft::send() {
  for (std::uint32_t i = 0; i < step_count_; ++i) heap_block(steps_[i].object);
  add_heap_blocks(wire::EntryKind::kAcquire, wire::EntryKind::kCollect);
  add_heap_blocks(wire::EntryKind::kRead, wire::EntryKind::kUpdate);
  const wire::Finding head{header(wire::Type::kFinding),
                           number_,
                           increasing_ ? 1u : 0u,
                           thread_count_ - 1,
                           thread_count_,
                           label_count_,
                           block_count_,
                           step_count_,
                           txn_count_,
                           complete_ ? 1u : 0u,
                           entry_count_,
                           closing_entry_,
                           heap_count_,
                           stack_count_,
                           string_bytes_,
                           options.refines && options.spec[0] == '\0' ? 1u : 0u,
                           options.refines ? 1u : 0u};
  std::size_t size = 0;
  const auto append = [&](const void* data, std::size_t bytes) {
    std::memcpy(packet_ + size, data, bytes);
    size += bytes;
  };
  append(&head, sizeof(head));
  append(threads_, thread_count_ * sizeof(*threads_));
  append(labels_, label_count_ * sizeof(*labels_));
  append(blocks_, block_count_ * sizeof(*blocks_));
  append(steps_, step_count_ * sizeof(*steps_));
  append(txns_, txn_count_ * sizeof(*txns_));
  append(entries_, entry_count_ * sizeof(*entries_));
  append(heap_blocks_, heap_count_ * sizeof(*heap_blocks_));
  append(stack_, stack_count_ * sizeof(*stack_));
  append(strings_, string_bytes_);
  send_message(packet_, size);
}

}  // namespace omnium::runtime
