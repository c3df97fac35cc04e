// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The records of all threads in one order: by clock, then by thread, each thread's in its own
// order. In memory is one block of each thread that has begun and not ended.
#pragma once

#include <functional>
#include <queue>
#include <vector>

#include "recording/raw_log.h"

namespace omnium::recording {

struct MergedRecord {
  std::uint32_t thread;  // number
  live::RawRecord record;
  std::uint64_t operand;      // of records that have one
  std::uint64_t repeats = 0;  // of an access: so many more
  std::int64_t stride = 0;

  // Of the access or of its i-th repetition.
  std::uint64_t address(std::uint64_t i) const {
    return live::object_of(record) + i * static_cast<std::uint64_t>(stride);
  }
};

// One thread's records.
class ThreadRecords {
 public:
  ThreadRecords(const RawLog& log, std::uint32_t number, const ThreadBlocks& blocks)
      : log_(log), blocks_(blocks.offsets), clock_(blocks.first_clock), record_{number, {}, 0} {}

  // On to the next record that is no operand, clock or text; false at the end.
  Result<bool> advance();
  bool has_started() const { return next_block_ != 0; }
  const MergedRecord& record() const { return record_; }
  std::uint64_t clock() const { return clock_; }

 private:
  Result<bool> next_raw();
  void take_repeats();

  const RawLog& log_;
  const std::vector<std::uint64_t>& blocks_;
  std::size_t next_block_ = 0;
  Block block_;
  std::size_t next_ = 0;  // in block_
  std::uint64_t clock_;
  MergedRecord record_;
};

class Merge {
 public:
  explicit Merge(const RawLog& log);

  // The next record, until the next call; null at the end.
  Result<const MergedRecord*> next();

 private:
  static constexpr std::size_t kNoThread = ~std::size_t{0};

  struct Waiting {
    std::uint64_t clock;
    std::size_t index;  // in threads_
    friend auto operator<=>(const Waiting&, const Waiting&) = default;
  };
  Result<void> step();

  const RawLog* log_;
  std::vector<std::unique_ptr<ThreadRecords>> threads_;
  std::size_t current_ = kNoThread;  // whose next record is the next of all
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting_;
};

}  // namespace omnium::recording
