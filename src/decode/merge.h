// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The records of all threads in one order: by clock, then by thread, and each thread's records in
// its own order. One block of each thread that has begun and not ended is in memory.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "decode/record_cursor.h"

namespace omnium::decode {

// An access of a loop: a record of it, and how far it is from round to round.
struct LoopStep {
  wire::RawRecord record;  // with the address of the first round
  std::int64_t stride;

  std::uint64_t address(std::uint64_t round) const {
    return wire::object_of(record) + round * static_cast<std::uint64_t>(stride);
  }
};

struct MergedRecord {
  std::uint32_t thread;  // number
  std::uint32_t index;   // position of the thread in the log
  wire::RawRecord record;
  const wire::RawRecord* ahead;  // a record that the thread has soon, to fetch its memory early
  std::uint64_t operand;         // of the record, if its kind has one
  std::uint64_t repeats = 0;     // how often an access is repeated; of a loop: all its accesses
  std::int64_t stride = 0;
  std::span<const LoopStep> loop = {};  // of a kLoop: one round of it

  // The address of the access (i = 0) or of its i-th repetition.
  std::uint64_t address(std::uint64_t i) const {
    return wire::object_of(record) + i * static_cast<std::uint64_t>(stride);
  }
};

// The records of one thread, from all of its blocks.
class ThreadRecords {
 public:
  ThreadRecords(RawLog& log, std::uint32_t number, std::uint32_t index, const ThreadBlocks& blocks)
      : log_(log), blocks_(blocks.offsets), record_{number, index, {}, nullptr, 0} {}

  // Goes on to the next event. False at the end, or on an error.
  bool advance();
  bool has_started() const { return next_block_ != 0; }
  const MergedRecord& record() const { return record_; }
  std::uint64_t clock() const { return cursor_.clock(); }
  const Result<void>& status() const { return status_; }

 private:
  static constexpr std::ptrdiff_t kAhead = 12;

  bool next_block();
  void take_repeats();
  bool take_loop(const wire::RawRecord& loop);

  RawLog& log_;
  const std::vector<std::uint64_t>& blocks_;
  std::size_t next_block_ = 0;
  std::unique_ptr<Piece> piece_;
  RecordCursor cursor_;  // in piece_
  MergedRecord record_;
  std::vector<LoopStep> steps_;  // of record_, if that is a loop
  Result<void> status_;
};

class Merge {
 public:
  explicit Merge(RawLog& log);

  // Calls take(record) for the next records, until it returns false or no records are left.
  template <class Take>
  Result<void> read(Take take);

 private:
  static constexpr std::size_t kNoThread = ~std::size_t{0};

  struct Waiting {
    std::uint64_t clock;
    std::size_t index;  // in threads_
    friend auto operator<=>(const Waiting&, const Waiting&) = default;
  };
  bool choose();
  Result<void> leave();
  void go_on_with(std::size_t index);

  RawLog* log_;
  std::vector<std::unique_ptr<ThreadRecords>> threads_;
  std::size_t current_ = kNoThread;  // the thread whose next record is the next of all
  std::uint64_t limit_ = 0;          // up to this clock its records come before those of others
  bool more_ = false;                // the current thread has a record
  std::vector<Waiting> waiting_;     // a heap of the other threads, by their next records
};

inline bool ThreadRecords::advance() {
  record_.operand = 0;
  for (;;) {
    if (cursor_.is_at_end()) [[unlikely]] {
      if (!next_block()) return false;
      continue;
    }
    const wire::RawRecord& record = cursor_.take();
    if (wire::kind_of(record) >= wire::RawKind::kOperand) [[unlikely]] {
      if (wire::kind_of(record) == wire::RawKind::kOperand) record_.operand = record.more;
      if (wire::kind_of(record) == wire::RawKind::kLoop && take_loop(record)) return true;
      continue;
    }
    record_.record = record;
    record_.ahead = cursor_.ahead(kAhead);
    take_repeats();
    return true;
  }
}

inline void ThreadRecords::take_repeats() {
  record_.repeats = 0;
  if (cursor_.is_at_end() || wire::kind_of(cursor_.next()) != wire::RawKind::kRepeat) return;
  const wire::RawRecord& repeat = cursor_.take();
  record_.repeats = std::min(repeat.more, wire::kRawMaxRepeats);
  record_.stride = wire::stride_of(repeat);
}

template <class Take>
Result<void> Merge::read(Take take) {
  while (current_ != kNoThread || choose()) {
    ThreadRecords& thread = *threads_[current_];
    while (more_ && thread.clock() < limit_) {
      const bool wanted = take(thread.record());
      more_ = thread.advance();
      if (!wanted) return {};
    }
    if (auto left = leave(); !left) return left;
  }
  return {};
}

}  // namespace omnium::decode
