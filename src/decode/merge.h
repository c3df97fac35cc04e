// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The records of all threads in one order: by clock, then by thread, each thread's in its own
// order. In memory is one block of each thread that has begun and not ended.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "decode/raw_log.h"

namespace omnium::decode {

struct MergedRecord {
  std::uint32_t thread;  // number
  std::uint32_t index;   // of the thread in the log
  wire::RawRecord record;
  const wire::RawRecord* ahead;  // one of those that the thread has soon
  std::uint64_t operand;         // of records that have one
  std::uint64_t repeats = 0;     // of an access: so many more
  std::int64_t stride = 0;

  // Of the access or of its i-th repetition.
  std::uint64_t address(std::uint64_t i) const {
    return wire::object_of(record) + i * static_cast<std::uint64_t>(stride);
  }
};

// One thread's records.
class ThreadRecords {
 public:
  ThreadRecords(RawLog& log, std::uint32_t number, std::uint32_t index, const ThreadBlocks& blocks)
      : log_(log),
        blocks_(blocks.offsets),
        clock_(blocks.first_clock),
        record_{number, index, {}, nullptr, 0} {}

  // On to the next record that is no operand, clock or text; false at the end or on an error.
  bool advance();
  bool has_started() const { return next_block_ != 0; }
  const MergedRecord& record() const { return record_; }
  std::uint64_t clock() const { return clock_; }
  const Result<void>& status() const { return status_; }

 private:
  static constexpr std::ptrdiff_t kAhead = 12;

  bool next_block();
  void take_aside(const wire::RawRecord& record);
  void take_repeats();

  RawLog& log_;
  const std::vector<std::uint64_t>& blocks_;
  std::size_t next_block_ = 0;
  std::unique_ptr<Piece> piece_;
  const wire::RawRecord* next_ = nullptr;  // in piece_
  const wire::RawRecord* end_ = nullptr;
  std::uint64_t clock_;
  MergedRecord record_;
  Result<void> status_;
};

class Merge {
 public:
  explicit Merge(RawLog& log);

  // Hands the next records to take(record), until that returns false or no more are left.
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
  std::size_t current_ = kNoThread;  // whose next record is the next of all
  std::uint64_t limit_ = 0;          // its records are the next ones below this clock
  bool more_ = false;                // it has one at hand
  std::vector<Waiting> waiting_;     // a heap, the first record at its front
};

inline bool ThreadRecords::advance() {
  record_.operand = 0;
  for (;;) {
    if (next_ == end_) [[unlikely]] {
      if (!next_block()) return false;
      continue;
    }
    const wire::RawRecord& record = *next_++;
    if (wire::kind_of(record) >= wire::RawKind::kOperand) [[unlikely]] {
      take_aside(record);
      continue;
    }
    clock_ += wire::clock_step_of(record);
    record_.record = record;
    record_.ahead = &record + std::min<std::ptrdiff_t>(kAhead, end_ - next_);
    take_repeats();
    return true;
  }
}

inline void ThreadRecords::take_repeats() {
  record_.repeats = 0;
  if (next_ == end_ || wire::kind_of(*next_) != wire::RawKind::kRepeat) return;
  record_.repeats = std::min(next_->more, wire::kRawMaxRepeats);
  record_.stride = wire::stride_of(*next_++);
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
