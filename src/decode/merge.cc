// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "decode/merge.h"

#include <utility>

namespace omnium::decode {

bool ThreadRecords::next_block() {
  if (next_block_ == blocks_.size()) {
    piece_.reset();
    cursor_ = {};
    return false;
  }
  if (piece_ == nullptr) piece_ = std::make_unique_for_overwrite<Piece>();
  status_ = log_.read_block(blocks_[next_block_++], *piece_);
  if (!status_) return false;
  cursor_ = RecordCursor(*piece_);
  return true;
}

// Takes the accesses that a loop repeats from the records before it. False if that is no loop.
bool ThreadRecords::take_loop(const wire::RawRecord& loop) {
  const auto length = static_cast<std::ptrdiff_t>(wire::size_of(loop));
  if (length == 0 || &loop - piece_->records().data() < 2 * length) return false;
  steps_.clear();
  for (const wire::RawRecord* at = &loop - length; at != &loop; ++at) {
    const wire::RawRecord& before = *(at - length);
    const wire::RawKind kind = wire::kind_of(*at);
    const bool plain = kind == wire::RawKind::kRead || kind == wire::RawKind::kWrite;
    if (!plain || !wire::is_same_access(*at, before)) return false;
    const std::uint64_t stride = wire::object_of(*at) - wire::object_of(before);
    const wire::RawRecord next = wire::make_record(kind, wire::object_of(*at) + stride,
                                                   wire::size_of(*at), 0, wire::place_of(*at));
    steps_.push_back({next, static_cast<std::int64_t>(stride)});
  }
  record_.record = loop;
  record_.ahead = cursor_.ahead(kAhead);
  record_.repeats = std::min(loop.more, wire::kRawMaxLooped);
  record_.loop = steps_;
  return record_.repeats != 0;
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

// Chooses the thread with the next record. False if none has one.
bool Merge::choose() {
  if (waiting_.empty()) return false;
  std::ranges::pop_heap(waiting_, std::greater<>());
  const std::size_t index = waiting_.back().index;
  waiting_.pop_back();
  go_on_with(index);
  return true;
}

// Goes on with the thread, up to the next record of another one.
void Merge::go_on_with(std::size_t index) {
  current_ = index;
  more_ = threads_[index]->has_started() || threads_[index]->advance();
  limit_ = log_->end_clock();
  if (waiting_.empty() || waiting_.front().clock >= limit_) return;
  limit_ = waiting_.front().clock + (index < waiting_.front().index ? 1 : 0);
}

// Leaves the current thread: it has no more records, or the next record of another comes first.
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
