// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "decode/merge.h"

#include <utility>

namespace omnium::decode {

using wire::RawKind;
using wire::RawRecord;

bool ThreadRecords::next_block() {
  if (next_block_ == blocks_.size()) {
    piece_.reset();
    next_ = end_ = nullptr;
    return false;
  }
  if (piece_ == nullptr) piece_ = std::make_unique_for_overwrite<Piece>();
  status_ = log_.read_block(blocks_[next_block_++], *piece_);
  if (!status_) return false;
  next_ = piece_->records().data();
  end_ = next_ + piece_->records().size();
  clock_ = piece_->block().first_clock;
  return true;
}

// What belongs to the next record, or to none.
void ThreadRecords::take_aside(const RawRecord& record) {
  switch (wire::kind_of(record)) {
    case RawKind::kOperand: record_.operand = record.more; return;
    case RawKind::kClock: clock_ = record.more; return;
    case RawKind::kRepeat: return;
    default: break;
  }
  clock_ += wire::clock_step_of(record);
  next_ += std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(wire::text_records(record)),
                                    end_ - next_);
}

Merge::Merge(RawLog& log) : log_(&log) {
  for (const auto& [number, blocks] : log.threads()) {
    const std::size_t index = threads_.size();
    waiting_.push_back({blocks.first_clock, index});
    threads_.push_back(
        std::make_unique<ThreadRecords>(log, number, static_cast<std::uint32_t>(index), blocks));
  }
  std::ranges::make_heap(waiting_, std::greater<>());
}

// The thread with the next record goes on.
bool Merge::choose() {
  if (waiting_.empty()) return false;
  std::ranges::pop_heap(waiting_, std::greater<>());
  const std::size_t index = waiting_.back().index;
  waiting_.pop_back();
  go_on_with(index);
  return true;
}

// Up to the next record of another.
void Merge::go_on_with(std::size_t index) {
  current_ = index;
  more_ = threads_[index]->has_started() || threads_[index]->advance();
  limit_ = log_->end_clock();
  if (waiting_.empty() || waiting_.front().clock >= limit_) return;
  limit_ = waiting_.front().clock + (index < waiting_.front().index ? 1 : 0);
}

// The current thread has no more records, or that of another comes before its next one.
Result<void> Merge::leave() {
  const std::size_t index = std::exchange(current_, kNoThread);
  const std::uint64_t clock = threads_[index]->clock();
  if (more_ && clock < log_->end_clock()) {
    std::ranges::pop_heap(waiting_, std::greater<>());
    const Waiting next = std::exchange(waiting_.back(), {clock, index});
    std::ranges::push_heap(waiting_, std::greater<>());
    go_on_with(next.index);
    return {};
  }
  const Result<void> status = threads_[index]->status();
  threads_[index].reset();
  return status;
}

}  // namespace omnium::decode
