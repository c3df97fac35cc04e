// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/merge.h"

#include <algorithm>
#include <utility>

namespace omnium::recording {

using live::RawKind;
using live::RawRecord;

Result<bool> ThreadRecords::next_raw() {
  while (next_ == block_.records.size()) {
    if (next_block_ == blocks_.size()) {
      block_ = {};
      next_ = 0;
      return false;
    }
    auto block = log_.read_block(blocks_[next_block_++]);
    if (!block) return tl::unexpected(block.error());
    block_ = std::move(*block);
    next_ = 0;
    clock_ = block_.first_clock;
  }
  return true;
}

void ThreadRecords::take_repeats() {
  record_.repeats = 0;
  if (next_ == block_.records.size()) return;
  const RawRecord& repeat = block_.records[next_];
  if (live::kind_of(repeat) != RawKind::kRepeat) return;
  record_.repeats = std::min(repeat.more, live::kRawMaxRepeats);
  record_.stride = live::stride_of(repeat);
  ++next_;
}

Result<bool> ThreadRecords::advance() {
  record_.operand = 0;
  for (;;) {
    const auto more = next_raw();
    if (!more || !*more) return more;
    const RawRecord& record = block_.records[next_];
    next_ = std::min(next_ + 1 + live::text_records(record), block_.records.size());
    switch (live::kind_of(record)) {
      case RawKind::kOperand: record_.operand = record.more; continue;
      case RawKind::kClock: clock_ = record.more; continue;
      case RawKind::kRepeat: continue;
      default: break;
    }
    clock_ += live::clock_step_of(record);
    if (live::kind_of(record) >= RawKind::kThreadStart) continue;
    record_.record = record;
    take_repeats();
    return true;
  }
}

Merge::Merge(const RawLog& log) : log_(&log) {
  for (const auto& [number, blocks] : log.threads()) {
    waiting_.push({blocks.first_clock, threads_.size()});
    threads_.push_back(std::make_unique<ThreadRecords>(log, number, blocks));
  }
}

// The current thread goes on; it stays the current one if its next record is the next of all.
Result<void> Merge::step() {
  ThreadRecords& thread = *threads_[current_];
  const auto more = thread.advance();
  if (!more) return tl::unexpected(more.error());
  const Waiting here{thread.clock(), current_};
  if (!*more || here.clock >= log_->end_clock()) {
    threads_[std::exchange(current_, kNoThread)].reset();
  } else if (!waiting_.empty() && waiting_.top() < here) {
    waiting_.push(here);
    current_ = kNoThread;
  }
  return {};
}

Result<const MergedRecord*> Merge::next() {
  bool taken = true;  // the current thread's record was handed out before
  for (;;) {
    if (current_ != kNoThread && taken) {
      if (auto stepped = step(); !stepped) return tl::unexpected(stepped.error());
    }
    if (current_ != kNoThread) return &threads_[current_]->record();
    if (waiting_.empty()) return nullptr;
    current_ = waiting_.top().index;
    waiting_.pop();
    taken = !threads_[current_]->has_started();
  }
}

}  // namespace omnium::recording
