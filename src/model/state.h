// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A state of program and monitor, unpacked, and where its parts lie.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/steps.h"

namespace omnium::model {

using ObjectSet = std::uint64_t;  // of objects that can conflict at all; see Future
using ThreadSet = std::uint32_t;

// What decides whether a block is cut at a failed attempt: what its open part has done, and whether
// anybody noticed.
struct AttemptRow {
  ObjectSet reads = 0;      // but for atomic loads and failed attempts
  ObjectSet writes = 0;     // also channels that it signalled and locks that it gave back
  ObjectSet attempts = 0;   // atomic loads and failed attempts
  std::uint8_t object = 0;  // attempts on this object were noticed (its number + 1); 0: on none
  bool noticed = false;     // more than attempts on one object was noticed

  friend auto operator<=>(const AttemptRow&, const AttemptRow&) = default;
};

// What the open transaction of a thread has done and reaches (docs/algorithms/model.md). All zero
// for a thread outside any block.
struct Row {
  ObjectSet own_reads = 0;     // S
  ObjectSet own_writes = 0;    // S
  ObjectSet later_reads = 0;   // C: of transactions that it reaches, open or not
  ObjectSet later_writes = 0;  // C
  ThreadSet threads = 0;       // E: threads whose present and future transactions it reaches
  ThreadSet forked = 0;        // threads that it forked and that have done nothing yet
  // Where its block may be cut.
  ThreadSet acted = 0;      // threads with an event since its first one
  ObjectSet signalled = 0;  // channels that another thread signalled since its first event
  AttemptRow attempts;

  bool empty() const { return *this == Row{}; }
  friend auto operator<=>(const Row&, const Row&) = default;
};

struct State {
  std::vector<std::int32_t>
      slots;  // cells, owners of locks (thread + 1), their readers, threads (pc, their slots)
  std::vector<Row> rows;  // one per thread
};

class Layout {
 public:
  explicit Layout(const Model& model) : model_(model) {
    first_lock_ = static_cast<std::uint32_t>(model.cells.size());
    std::uint32_t next = first_lock_ + static_cast<std::uint32_t>(model.lock_names.size());
    for (const bool shared : model.has_shared_side)
      readers_.push_back(shared ? next++ : kNoReaders);
    for (std::uint32_t t = 0; t < model.threads.size(); ++t) {
      first_of_thread_.push_back(next);
      next += 1 + static_cast<std::uint32_t>(model.code_of(t).slots.size());
    }
    size_ = next;
  }

  std::uint32_t size() const { return size_; }
  std::uint32_t threads() const { return static_cast<std::uint32_t>(first_of_thread_.size()); }
  std::uint32_t lock(std::uint32_t lock) const { return first_lock_ + lock; }
  // The set of threads that hold the shared side of a lock; kNoReaders: it has none.
  static constexpr std::uint32_t kNoReaders = ~std::uint32_t{0};
  std::uint32_t readers(std::uint32_t lock) const { return readers_[lock]; }
  std::uint32_t locks() const { return static_cast<std::uint32_t>(model_.lock_names.size()); }
  std::uint32_t pc(std::uint32_t t) const { return first_of_thread_[t]; }
  std::uint32_t slots(std::uint32_t t) const { return first_of_thread_[t] + 1; }
  std::uint32_t slot_count(std::uint32_t t) const {
    return static_cast<std::uint32_t>(model_.code_of(t).slots.size());
  }

  // Where every run starts.
  State initial() const {
    State state;
    state.slots.resize(size_, 0);
    state.rows.resize(threads());
    for (std::size_t i = 0; i < model_.cells.size(); ++i) state.slots[i] = model_.cells[i].initial;
    for (std::uint32_t t = 0; t < threads(); ++t) {
      const Code& code = model_.code_of(t);
      if (model_.threads[t].forked) {
        state.slots[pc(t)] = static_cast<std::int32_t>(code.unstarted());
      }
      for (std::size_t i = 0; i < code.slots.size(); ++i) {
        state.slots[slots(t) + i] = code.slots[i].initial;
      }
    }
    return state;
  }

 private:
  const Model& model_;
  std::uint32_t first_lock_ = 0;
  std::uint32_t size_ = 0;
  std::vector<std::uint32_t> readers_;
  std::vector<std::uint32_t> first_of_thread_;
};

}  // namespace omnium::model
