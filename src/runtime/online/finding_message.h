// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A kFinding message under construction: fixed arrays, joined when it is sent. What does not fit is
// left out; the watcher shows what it gets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "runtime/state/thread.h"
#include "wire/protocol.h"

namespace omnium::runtime {

class FindingMessage {
 public:
  void clear();

  // Index of the thread in the message.
  std::uint32_t thread(const ThreadState& thread);
  // Its history from this time on is needed, even if no step is about it.
  void needs(const ThreadState& thread, std::uint64_t from_time);
  std::uint32_t label(const char* name, Pc function);
  void block(const OpenBlock& block, bool refuted);
  // In any order; reversed by reverse_steps.
  void step(const wire::Step& step);
  void reverse_steps();
  // Is there one around the object?
  bool heap_block(std::uint64_t object);
  void stack();
  // The history around the steps of the threads mentioned so far but the violating one; and of that
  // one, mentioned last, so that entries stay sorted by thread.
  void other_histories(const ThreadState& violating);
  void own_history(const ThreadState& violating);

  bool send(std::uint32_t number, const ThreadState& violating, bool increasing);

  FindingMessage* next_free;  // of those to use again

 private:
  void history(std::uint32_t index, std::uint64_t from_time);
  void add_heap_blocks();
  bool has_other_name(std::uint64_t object) const;
  std::uint32_t string(const char* text);

  static constexpr std::size_t kThreads = 64, kLabels = 256, kSteps = 64, kEntries = 2600,
                               kHeapBlocks = 64, kStack = 64, kStrings = 8192;
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
      stack_count_, string_bytes_;
};

}  // namespace omnium::runtime
