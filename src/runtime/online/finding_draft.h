// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A kFinding message under construction, in arrays of fixed size. Steps and blocks always fit; of
// the histories, the oldest entries are left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "runtime/online/found.h"
#include "runtime/online/reach_row.h"
#include "runtime/state/thread.h"
#include "wire/protocol.h"

namespace omnium::runtime {

// The transaction that was open before this entry of the thread's history, as far as the entries
// before it are left.
TxnRef txn_before(const ThreadState& thread, std::uint64_t index);

class FindingDraft {
 public:
  // A path that is longer has no room.
  static constexpr std::uint32_t kLongestPath = wire::Finding::kSteps - 1;

  void start(std::uint32_t number, bool increasing);

  // The index of the thread in the message. Adds the thread if it is new.
  std::uint32_t thread(ThreadRef thread);
  // The index of the transaction in the message. Adds it if it is new.
  std::uint32_t txn(ThreadRef thread, const TxnRef& txn);
  void block(const OpenBlock& block, bool refuted);
  void step(const wire::Step& step) { steps_[step_count_++] = step; }
  // Steps are missing between the transaction and the last step.
  void is_incomplete() { complete_ = false; }

  // Adds the histories around the steps, as they are now. That of the violating thread, which must
  // be the last one of the message, is continued when the message is sent.
  void histories(const ThreadState& violating);
  void stack();

  // What the violating thread did since the finding was made: the entries of its history from
  // `closing` on.
  void next_events(const ThreadState& violating, std::uint64_t closing);
  // Looks up the heap blocks and sends the message. Slow; must be called without locks.
  void send();
  std::uint32_t number() const { return number_; }
  void shorten(Found& out) const;  // for a debugger

  FindingDraft* next;  // in a list of drafts

 private:
  static constexpr std::size_t kThreads = wire::Finding::kThreads, kLabels = wire::Finding::kLabels,
                               kTxns = wire::Finding::kTxns, kSteps = wire::Finding::kSteps,
                               kEntries = wire::Finding::kEntries,
                               kHeapBlocks = wire::Finding::kHeapBlocks,
                               kStack = wire::Finding::kStack, kStrings = wire::Finding::kStrings;
  static_assert(wire::Finding::kBlocks == kMaxDepth);
  static constexpr std::uint32_t kNextEvents = 192;  // room for next_events
  static constexpr std::uint32_t kNoLabel = ~0u;

  std::uint32_t label(const char* name, Pc function);
  void set_name(std::uint32_t label, char (&block)[64], Pc& function) const;
  FoundEnd end(std::uint32_t thread, std::uint32_t txn, Pc pc, wire::Atomicity access) const;
  std::size_t room_for_entries() const;
  void history(std::uint32_t index, std::size_t most);
  // Returns the index in the history of the first entry that was copied.
  std::uint64_t copy(std::uint32_t index, std::uint64_t begin, std::uint64_t end,
                     std::uint64_t now);
  std::uint64_t needed_from(std::uint32_t index) const;
  void add_heap_blocks(wire::EntryKind first, wire::EntryKind last);
  bool heap_block(std::uint64_t object);
  bool has_other_name(std::uint64_t object) const;
  std::uint32_t string(const char* text);

  std::uint32_t number_;
  bool increasing_, complete_;
  const ThreadState* states_[kThreads];  // null: it is used for another thread
  wire::Thread threads_[kThreads];
  wire::Label labels_[kLabels];
  wire::Block blocks_[kMaxDepth];
  wire::Txn txns_[kTxns];
  wire::Step steps_[kSteps];
  wire::Entry entries_[kEntries];
  wire::HeapBlock heap_blocks_[kHeapBlocks];
  std::uint64_t stack_[kStack];
  char strings_[kStrings];
  char packet_[wire::kMaxMessage];
  std::uint32_t thread_count_, label_count_, block_count_, txn_count_, step_count_, entry_count_,
      heap_count_, stack_count_, string_bytes_, closing_entry_;
};

}  // namespace omnium::runtime
