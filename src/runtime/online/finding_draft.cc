// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/online/finding_draft.h"

#include <unwind.h>

#include "runtime/state/heap.h"
#include "runtime/state/modules.h"
#include "runtime/system/channel.h"

namespace omnium::runtime {

namespace {

char packet[wire::kMaxMessage];

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

void FindingDraft::clear() {
  thread_count_ = label_count_ = block_count_ = step_count_ = entry_count_ = heap_count_ = 0;
  stack_count_ = 0;
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

std::uint32_t FindingDraft::thread(const ThreadState& thread) {
  for (std::uint32_t i = 0; i < thread_count_; ++i) {
    if (states_[i] == &thread) return i;
  }
  if (thread_count_ == kThreads) return kThreads - 1;
  states_[thread_count_] = &thread;
  from_times_[thread_count_] = kNotReached;
  threads_[thread_count_] = {thread.start_function, thread.stack_begin, thread.stack_end,
                             thread.number, string(thread.name)};
  return thread_count_++;
}

void FindingDraft::needs(const ThreadState& thread, std::uint64_t from_time) {
  if (thread_count_ + 2 >= kThreads) return;  // leave room for the threads of the steps
  std::uint64_t& from = from_times_[this->thread(thread)];
  from = least(from, from_time);
}

std::uint32_t FindingDraft::label(const char* name, Pc function) {
  for (std::uint32_t i = 0; i < label_count_; ++i) {
    const bool same = name == nullptr ? labels_[i].function == function
                                      : labels_[i].function == 0 &&
                                            std::strcmp(strings_ + labels_[i].name, name) == 0;
    if (same) return i;
  }
  if (label_count_ == kLabels) return kLabels - 1;
  labels_[label_count_] =
      name == nullptr ? wire::Label{function, 0, 0} : wire::Label{0, string(name), 0};
  return label_count_++;
}

void FindingDraft::block(const OpenBlock& block, bool refuted) {
  blocks_[block_count_++] = {label(block.name, block.function), refuted,
                             block.begin.load(std::memory_order_relaxed), block.pc,
                             block.waited_pc};
}

void FindingDraft::step(const wire::Step& step) {
  if (step_count_ < kSteps) steps_[step_count_++] = step;
}

void FindingDraft::reverse_steps() {
  for (std::uint32_t i = 0, j = step_count_; i + 1 < j; ++i) {
    const wire::Step last = steps_[--j];
    steps_[j] = steps_[i];
    steps_[i] = last;
  }
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

// Steps are often about locks. The data that the locks protect is in the histories.
void FindingDraft::add_heap_blocks() {
  constexpr int kMostMisses = 16;  // each miss is a long search
  std::uint64_t missed = 0;
  int misses = 0;
  for (std::uint32_t i = 0; i < entry_count_ && misses < kMostMisses; ++i) {
    const wire::Entry& entry = entries_[i];
    if (entry.kind < wire::EntryKind::kRead || entry.kind > wire::EntryKind::kCollect) continue;
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

void FindingDraft::history(std::uint32_t index, std::uint64_t from_time) {
  for (std::uint32_t k = 0; k < step_count_; ++k) {
    if (steps_[k].from_thread == index) from_time = least(from_time, steps_[k].from_time);
    if (steps_[k].to_thread == index) from_time = least(from_time, steps_[k].to_time);
  }
  const std::size_t most = (kEntries - 1) / thread_count_;
  const History& history = states_[index]->history;
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
  const std::uint32_t first_entry = entry_count_;
  for (std::uint64_t i = begin; i < end && entry_count_ < kEntries; ++i) {
    const HistoryEntry entry = history.at(i, now);
    std::uint64_t object = entry.object;
    const wire::EntryKind kind = entry.kind;
    if (kind == wire::EntryKind::kBegin || kind == wire::EntryKind::kEnd) {
      object = (entry.size & wire::kIsFunction) != 0
                   ? label(nullptr, object)
                   : label(reinterpret_cast<const char*>(object), 0);
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
  }
}

void FindingDraft::other_histories(const ThreadState& violating) {
  for (std::uint32_t i = 0; i < thread_count_; ++i) {
    if (states_[i] != &violating) history(i, from_times_[i]);
  }
}

void FindingDraft::own_history(const ThreadState& violating, std::uint64_t closing) {
  const std::uint32_t first = entry_count_;
  history(thread(violating), block_count_ > 0 ? blocks_[0].begin_time : kNotReached);
  // Counted from the end. If entries are missing there, or if the thread goes on meanwhile, this is
  // too early.
  const std::uint64_t behind = violating.history.count() - closing;
  closing_entry_ =
      behind < entry_count_ - first ? entry_count_ - static_cast<std::uint32_t>(behind) : first;
}

bool FindingDraft::send(std::uint32_t number, const ThreadState& violating, bool increasing) {
  add_heap_blocks();
  wire::Finding head{header(wire::Type::kFinding),
                     number,
                     increasing ? 1u : 0u,
                     thread(violating),
                     thread_count_,
                     label_count_,
                     block_count_,
                     step_count_,
                     entry_count_,
                     closing_entry_,
                     heap_count_,
                     stack_count_,
                     string_bytes_};
  std::size_t size = 0;
  const auto append = [&](const void* data, std::size_t bytes) {
    std::memcpy(packet + size, data, bytes);
    size += bytes;
  };
  append(&head, sizeof(head));
  append(threads_, thread_count_ * sizeof(*threads_));
  append(labels_, label_count_ * sizeof(*labels_));
  append(blocks_, block_count_ * sizeof(*blocks_));
  append(steps_, step_count_ * sizeof(*steps_));
  append(entries_, entry_count_ * sizeof(*entries_));
  append(heap_blocks_, heap_count_ * sizeof(*heap_blocks_));
  append(stack_, stack_count_ * sizeof(*stack_));
  append(strings_, string_bytes_);
  return send_message(packet, size);
}

}  // namespace omnium::runtime
