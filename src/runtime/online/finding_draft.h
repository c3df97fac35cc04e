// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A kFinding message under construction, in arrays of fixed size. What does not fit is left out;
// the watcher shows what it gets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "runtime/state/thread.h"
#include "wire/protocol.h"

namespace omnium::runtime {

class FindingDraft {
 public:
  void clear();

  // The index of the thread in the message. Adds the thread if it is new.
  std::uint32_t thread(const ThreadState& thread);
  // Asks for the history of the thread from this time on, even if no step is about the thread.
  void needs(const ThreadState& thread, std::uint64_t from_time);
  std::uint32_t label(const char* name, Pc function);
  void block(const OpenBlock& block, bool refuted);
  // Adds a step.
  void step(const wire::Step& step);
  void reverse_steps();
  // Adds the heap block that contains the object. False if there is none.
  bool heap_block(std::uint64_t object);
  void stack();
  // Add the histories around the steps: first those of all threads but the violating one, then that
  // of the violating thread, which must be the last, so that entries stay sorted by thread.
  // `closing` is the index in its history of the first event that can be the sink of the last step.
  void other_histories(const ThreadState& violating);
  void own_history(const ThreadState& violating, std::uint64_t closing);

  bool send(std::uint32_t number, const ThreadState& violating, bool increasing);

  FindingDraft* next_free;  // in the list of drafts to use again

 private:
  void history(std::uint32_t index, std::uint64_t from_time);
  void add_heap_blocks();
  bool has_other_name(std::uint64_t object) const;
  std::uint32_t string(const char* text);

  static constexpr std::size_t kThreads = wire::Finding::kThreads, kLabels = wire::Finding::kLabels,
                               kSteps = wire::Finding::kSteps, kEntries = wire::Finding::kEntries,
                               kHeapBlocks = wire::Finding::kHeapBlocks,
                               kStack = wire::Finding::kStack, kStrings = wire::Finding::kStrings;
  static_assert(wire::Finding::kBlocks == kMaxDepth);
  const ThreadState* states_[kThreads];
  std::uint64_t from_times_[kThreads];
  wire::Thread threads_[kThreads];
  wire::Label labels_[kLabels];
  wire::Block blocks_[kMaxDepth];
  wire::Step steps_[kSteps];
  wire::Entry entries_[kEntries];
  wire::HeapBlock heap_blocks_[kHeapBlocks];
  std::uint64_t stack_[kStack];
  char strings_[kStrings];
  std::uint32_t thread_count_, label_count_, block_count_, step_count_, entry_count_, heap_count_,
      stack_count_, string_bytes_, closing_entry_;
};

}  // namespace omnium::runtime
